import type { SessionUser } from "../http/router.ts";

/** Whose list it is: a client's own, or the one that holds for everybody. */
export interface ListOwner {
  /** As `suppressions.client` keeps it; 0 = everybody. */
  client: number;
  isMasked: boolean;
}

/** The list that a person sees and changes. */
export function listOf({ id, role }: Pick<SessionUser, "id" | "role">): ListOwner {
  return role === "admin" ? { client: 0, isMasked: true } : { client: id, isMasked: false };
}
