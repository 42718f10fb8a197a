/**
 * Hands the user from the login response to the signed-in area.
 *
 * The public screens load no query library, so the login cannot write the query cache; it stores the user here.
 */
import type { User } from "shared/http_api.ts";

let user: User | undefined;

/** Stores the user of a new login. */
export function leaveUser(fresh: User): void {
  user = fresh;
}

/** Returns the user of a new login, once. */
export function takeUser(): User | undefined {
  const taken = user;
  user = undefined;
  return taken;
}
