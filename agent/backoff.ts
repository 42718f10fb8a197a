/** Longest wait between two attempts to reach the edge. */
export const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 500;

/**
 * Wait before try number `tries` (from 0), in milliseconds: full jitter, so that sites that lost the edge
 * together do not return together.
 */
export function backoffMs(tries: number, random: () => number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(tries, 20));
  return Math.round(random() * ceiling);
}
