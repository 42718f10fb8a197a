/** Messages by call: states and bounds. The browser imports it: no schemas. */

/** The states of a message: those of its delivery, and `expired`, when its end came before it was sent. */
export const MESSAGE_STATES = [
  "queued",
  "leased",
  "sent",
  "failed",
  "unknown",
  "skipped",
  "expired",
  "cancelled",
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A message of a test key is never sent to anybody. */
export const MESSAGE_MODES = ["live", "test"] as const;
export type MessageMode = (typeof MESSAGE_MODES)[number];

/** Furthest `sendAfter`, and longest time from it to `expiresAt`. */
export const MAX_SEND_AHEAD_MS = 7 * 24 * 60 * 60_000;
/** The time to `expiresAt` when the call names none: a reminder two days late is worse than none. */
export const DEFAULT_LIFE_MS = 24 * 60 * 60_000;
/** Most characters of a caller's own word for a message. */
export const MAX_REFERENCE_CHARS = 100;
/** Most messages of one client and kind to one number in a day. */
export const MOST_TO_A_NUMBER = 50;
/** Most messages that a client's test keys may make in a day. */
export const MOST_TESTS_A_DAY = 2_000;
/** How long a picture for messages is kept after its upload. */
export const IMAGE_KEPT_MS = 30 * 24 * 60 * 60_000;
/** How long messages of test keys are kept. */
export const TESTS_KEPT_MS = 7 * 24 * 60 * 60_000;
/** How long a number is refused that may have a message from the lost time of a restored database. */
export const MAY_HAVE_MS = 24 * 60 * 60_000;

/**
 * Numbers that say how a message of a test key ends; one to any other number is `sent`. North America keeps 555-0100 to
 * 555-0199 for fiction: these numbers belong to nobody.
 */
export const TEST_NUMBERS = [
  { phone: 12_025_550_111, state: "sent", reason: null },
  { phone: 12_025_550_122, state: "failed", reason: "retries_exhausted" },
  { phone: 12_025_550_133, state: "unknown", reason: "send_not_verified" },
  { phone: 12_025_550_144, state: "failed", reason: "not_on_app" },
] as const;
