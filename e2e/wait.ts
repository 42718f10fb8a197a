/** Waits for what other processes do. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

/**
 * Maximum wait on a slow and busy machine: it detects what never comes, not what comes late. Time limits that the
 * product promises have their own constants.
 */
export const PATIENCE_MS = 60_000;

/**
 * Repeats `check` until it returns a value.
 *
 * @throws {Error} with its last failure after `timeoutMs`
 */
export async function until<T>(
  check: () => Promise<T | null | false>,
  timeoutMs: number,
  what: string,
  everyMs = 200,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const result = await check();
      if (result) return result;
    } catch (error) {
      cause = error;
    }
    await pause(everyMs);
  } while (performance.now() < end);
  throw new Error(`This did not happen within ${timeoutMs / 1000} s: ${what}`, { cause });
}

/**
 * Repeats `ask` until it returns the expected value.
 *
 * @throws {assert.AssertionError} with the last value, after a minute
 */
export async function becomes<T>(ask: () => Promise<T>, expected: T, what = "the answer"): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let answer = await ask();
  while (!isDeepStrictEqual(answer, expected) && performance.now() < end) {
    await pause(50);
    answer = await ask();
  }
  assert.deepEqual(answer, expected, what);
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
