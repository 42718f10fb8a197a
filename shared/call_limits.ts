/** How many calls a person or a key may make; the page for developers names the same figures. */

/** A bucket of `burst` calls that fills again by `perSecond`. */
export interface CallBound {
  burst: number;
  perSecond: number;
}

/** Of one person, over all browsers. */
export const CALL_BOUND: CallBound = { burst: 600, perSecond: 60 };
/** Of one API key, and of all keys of a client together. A thousand messages handed over within a second fit. */
export const KEY_BOUNDS = {
  key: { burst: 1_200, perSecond: 40 },
  client: { burst: 2_400, perSecond: 80 },
} as const satisfies Record<string, CallBound>;
