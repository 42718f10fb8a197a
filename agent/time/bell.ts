/** Wakes one loop that waits for work. A ring without a waiting loop is kept for the next wait. */
import type { Clock } from "./clock.ts";

export class Bell {
  #wake: (() => void) | null = null;
  #isRung = false;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves at a ring, after `maxMs`, or when the signal aborts. */
  async wait(clock: Clock, maxMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung) {
      const rung = new AbortController();
      // Abort with a reason: without one, each ring would make an exception with a stack trace.
      this.#wake = () => rung.abort(null);
      await clock.sleep(maxMs, AbortSignal.any([signal, rung.signal]));
      this.#wake = null;
    }
    this.#isRung = false;
  }
}
