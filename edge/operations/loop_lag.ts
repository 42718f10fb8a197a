/** Measures how late the event loop runs its timers: anything that blocks the loop shows here first. */

const EVERY_MS = 500;

export interface LoopLagParts {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Monotonic, in milliseconds. */
  clock(): number;
  observe(seconds: number): void;
}

/** Sets a timer twice a second and reports how late it fired, until the signal aborts. */
export async function watchLoopLag(
  { sleep, clock, observe }: LoopLagParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const due = clock() + EVERY_MS;
    await sleep(EVERY_MS, signal);
    if (!signal.aborted) observe(Math.max(0, clock() - due) / 1000);
  }
}
