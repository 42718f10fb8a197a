/** Longest wait between two attempts to reach the edge. */
export const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 500;
/**
 * By so much the longest wait grows with each try. Waits take half of it on average, so with 1.5 the next one is at
 * most as long as the edge has been away: an edge that was gone for five seconds has all its sites back after ten.
 */
const GROWTH = 1.5;

/**
 * Wait before try number `tries` (from 0), in milliseconds: full jitter, so that sites that lost the edge
 * together do not return together.
 */
export function backoffMs(tries: number, random: () => number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * GROWTH ** Math.min(tries, 20));
  return Math.round(random() * ceiling);
}
