/** Wakes loops that wait for something to do. */
import type { Clock } from "./clock.ts";

export class Bell {
  #waiters = new Set<() => void>();

  ring(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }

  /** Resolves at the next ring, after `maxMs`, or when the signal aborts. */
  async wait(clock: Clock, maxMs: number, signal: AbortSignal): Promise<void> {
    const rung = new AbortController();
    const wake = () => rung.abort();
    this.#waiters.add(wake);
    signal.addEventListener("abort", wake, { signal: rung.signal });
    if (signal.aborted) wake();
    await clock.sleep(maxMs, rung.signal);
    this.#waiters.delete(wake);
    wake();
  }
}
