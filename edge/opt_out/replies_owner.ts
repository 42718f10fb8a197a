import type { Caller } from "../http/router.ts";

/**
 * Selects the replies that a user sees and decides: a client its own; administrators all (null), with masked numbers.
 */
export function repliesOf({ client, role }: Pick<Caller, "client" | "role">): {
  client: number | null;
  isMasked: boolean;
} {
  return role === "admin" ? { client: null, isMasked: true } : { client, isMasked: false };
}
