import { REMOVAL_API, REMOVAL_PATH } from "shared/removal_address.ts";

const MOST_CHARS = 200;

/** Returns a request's path as logs may hold it: cut, and without the token of a recipient's link, which is a key. */
export function loggedPath(path: string): string {
  const before = [REMOVAL_API, REMOVAL_PATH].find((start) => path.startsWith(start));
  return before === undefined ? path.slice(0, MOST_CHARS) : `${before}…`;
}
