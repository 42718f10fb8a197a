import type { SessionUser } from "../http/router.ts";

/**
 * Selects the replies that a user sees and decides: a client its own; administrators all (null), with masked numbers.
 */
export function repliesOf({ id, role }: Pick<SessionUser, "id" | "role">): {
  client: number | null;
  isMasked: boolean;
} {
  return role === "admin" ? { client: null, isMasked: true } : { client: id, isMasked: false };
}
