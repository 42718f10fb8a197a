import type { Caller } from "../http/router.ts";

/** The owner of a list: one client, or all clients. */
export interface ListOwner {
  /** The value of `suppressions.client`; 0 = all clients. */
  client: number;
  isMasked: boolean;
}

/** Returns the list that a user sees and changes. */
export function listOf({ client, role }: Pick<Caller, "client" | "role">): ListOwner {
  return role === "admin" ? { client: 0, isMasked: true } : { client, isMasked: false };
}
