/** Ends a soak: waits until all work is settled or the wait is given up. */

export interface Settling {
  /** Number of deliveries that still wait or are at sites. */
  openRows(): number;
  /** Aborts when the person at the terminal ends the wait. */
  giveUp: AbortSignal;
  withinMs: number;
  /** Monotonic milliseconds. */
  clock(): number;
  pause(ms: number): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Returns when no row is open.
 *
 * @throws {Error} when that takes longer than `withinMs`, or is given up
 */
export async function untilSettled(
  { openRows, giveUp, withinMs, clock, pause }: Settling,
): Promise<void> {
  const until = clock() + withinMs;
  for (let open = openRows(); open > 0; open = openRows()) {
    if (giveUp.aborted) throw new Error(`Given up with ${open} deliveries open`);
    if (clock() >= until) throw new Error(`${open} deliveries are still open after ${withinMs / 1000} s`);
    await pause(LOOK_EVERY_MS);
  }
}
