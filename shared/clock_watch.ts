/** Detects jumps of the wall clock: a correction by a person or NTP, or the sleep of a machine. */

/** Smaller differences come from NTP slewing and the time between two readings. */
export const CLOCK_JUMP_MS = 2_000;
/**
 * From this difference on, two machines' clocks disagree: TLS and sending hours go wrong. Transit time is part of
 * the difference.
 */
export const CLOCKS_APART_MS = 60_000;
/** A reading that took longer was interrupted and compares two different moments. */
const READ_WITHIN_MS = 500;

export interface Clocks {
  /** Milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds. */
  monotonic(): number;
}

/**
 * Returns a function that returns the wall clock's jump since its last call, in milliseconds, positive or
 * negative; 0 means no jump. A slow drift never counts as a jump.
 */
export function watchJumps({ now, monotonic }: Clocks): () => number {
  let ahead: number | null = null;
  return () => {
    const before = monotonic();
    const wall = now();
    const after = monotonic();
    if (after - before > READ_WITHIN_MS) return 0;
    const jump = ahead === null ? 0 : wall - after - ahead;
    ahead = wall - after;
    return Math.abs(jump) >= CLOCK_JUMP_MS ? Math.round(jump) : 0;
  };
}
