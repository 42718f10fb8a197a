import type { SessionUser } from "../http/router.ts";

/** Whose replies a person sees and decides: a client its own (null = everybody's), administrators with masked numbers. */
export function repliesOf({ id, role }: Pick<SessionUser, "id" | "role">): {
  client: number | null;
  isMasked: boolean;
} {
  return role === "admin" ? { client: null, isMasked: true } : { client: id, isMasked: false };
}
