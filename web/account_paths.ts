/** Paths below the user's account; a separate file, so visitors and the home screen do not load them. */
import { PATHS } from "./paths.ts";

export const ACCOUNT_PATHS = {
  /** The client's own suppression list. */
  removals: `${PATHS.account}/removals`,
} as const;
