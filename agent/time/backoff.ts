/** Longest wait between two attempts to reach the edge. */
export const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 500;
/**
 * Factor by which the longest wait grows with each try. A wait takes half of it on average. So with 1.5 the next wait is
 * at most as long as the edge has been away. After five seconds of absence, an edge has all its sites back within ten.
 */
const GROWTH = 1.5;

/**
 * Returns the wait before try number `tries` (from 0), in milliseconds. It has full jitter, so that sites that lost the
 * edge together do not return together.
 */
export function backoffMs(tries: number, random: () => number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * GROWTH ** Math.min(tries, 20));
  return Math.round(random() * ceiling);
}
