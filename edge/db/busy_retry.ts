import { isBusy } from "./sqlite_error.ts";

/** How long to wait for a lock of another process, with an injected clock and random numbers. */
export interface BusyRetry {
  /** Total waiting time in milliseconds; after it the caller gets SQLITE_BUSY. */
  busyTimeoutMs: number;
  /** Returns a number in [0, 1). */
  random(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Longest wait between two tries, in milliseconds. */
export const LONGEST_WAIT_MS = 11;

/**
 * Runs `act`, and runs it again while another connection holds the lock. SQLite's own busy timeout is not used: it
 * would block the event loop for its whole length. The waits are jittered, so that two processes do not keep colliding.
 */
export async function retryWhenBusy<T>(act: () => T, retry: BusyRetry): Promise<T> {
  let waitedMs = 0;
  for (let tries = 0;; tries++) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || waitedMs >= retry.busyTimeoutMs) throw error;
    }
    const waitMs = 1 + retry.random() * Math.min(LONGEST_WAIT_MS - 1, 2 ** tries);
    await retry.sleep(waitMs);
    waitedMs += waitMs;
  }
}
