/** Paths below the user's account; a separate file, so visitors and the home screen do not load them. */
import { PATHS } from "./paths.ts";

export const ACCOUNT_PATHS = {
  /** The client's own suppression list. */
  removals: `${PATHS.account}/removals`,
  /** The client's messages by call. */
  messages: `${PATHS.account}/messages`,
  /** The people of the owner's account. */
  people: `${PATHS.account}/people`,
  /** API keys of the owner, or of an administrator. */
  keys: `${PATHS.account}/keys`,
} as const;
