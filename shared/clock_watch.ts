/** A wall clock watched for jumps: set right by a person or by NTP, or left behind by a machine that slept. */

/** Less is the slewing of NTP and the time between two readings. */
export const CLOCK_JUMP_MS = 2_000;
/** From here on two machines' clocks disagree: TLS and sending hours go wrong. An answer was under way for a part of it. */
export const CLOCKS_APART_MS = 60_000;
/** A reading that took longer was interrupted, and compares two different moments. */
const READ_WITHIN_MS = 500;

export interface Clocks {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only grow. */
  monotonic(): number;
}

/**
 * Returns a look that tells by how many milliseconds the wall clock jumped since the look before, forward or back; 0 =
 * it did not. A slow drift is no jump, however long it goes on.
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
