/** Notices that a machine's clock was set, or that the machine slept. */

/** NTP moves a clock by less within seconds; a program that waits for the processor moves no clock. */
export const LEAST_JUMP_MS = 2_000;

export interface WatchedClock {
  /** Milliseconds since 1970, as the machine believes. */
  now(): number;
  /** Milliseconds that only grow, and that nobody sets. */
  monotonic(): number;
}

/**
 * Returns a look at both clocks, to be taken every second or so: the milliseconds by which the clock jumped ahead since
 * the last look, below 0 = back, 0 = it did not.
 */
export function createClockWatch(clock: WatchedClock): () => number {
  let apart = clock.now() - clock.monotonic();
  return () => {
    const apartNow = clock.now() - clock.monotonic();
    const jump = Math.round(apartNow - apart);
    apart = apartNow;
    return Math.abs(jump) < LEAST_JUMP_MS ? 0 : jump;
  };
}
