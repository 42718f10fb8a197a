/** Paths below one's account; apart from the rest, so that visitors and the home screen don't load them. */
import { PATHS } from "./paths.ts";

export const ACCOUNT_PATHS = {
  /** A client's own list of whom not to write to. */
  removals: `${PATHS.account}/removals`,
} as const;
