/** Wakes one loop that waits for work. A wake without a waiting loop is kept for the next wait. */
import type { Clock } from "./clock.ts";

export class Bell {
  #endWait: (() => void) | null = null;
  #isWoken = false;

  wake(): void {
    this.#isWoken = true;
    this.#endWait?.();
  }

  /** Resolves at wake(), after `maxMs`, or when the signal aborts. */
  async wait(clock: Clock, maxMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isWoken) {
      const woken = new AbortController();
      // Abort with a reason: without one, each wake would make an exception with a stack trace.
      this.#endWait = () => woken.abort(null);
      await clock.sleep(maxMs, AbortSignal.any([signal, woken.signal]));
      this.#endWait = null;
    }
    this.#isWoken = false;
  }
}
