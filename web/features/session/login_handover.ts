/**
 * The user a login just answered with, on its way to the signed-in area.
 *
 * The public screens load no query library, so the login can't write the query cache; it leaves the user here.
 */
import type { User } from "shared/http_api.ts";

let user: User | undefined;

/** Leaves the user of a fresh login. */
export function leaveUser(fresh: User): void {
  user = fresh;
}

/** Takes the user of a fresh login, once. */
export function takeUser(): User | undefined {
  const taken = user;
  user = undefined;
  return taken;
}
