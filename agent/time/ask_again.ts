/** Decides when to ask again after a failure: less and less often, up to a limit, and at once after a change. */
export class AskAgain {
  #failures = 0;
  #notBefore = -Infinity;

  constructor(private readonly everyMs: number, private readonly longestMs: number) {}

  /** Returns whether to ask at this monotonic time. */
  isDue(now: number): boolean {
    return now >= this.#notBefore;
  }

  answered(now: number): void {
    this.#failures = 0;
    this.#notBefore = now + this.everyMs;
  }

  failed(now: number): void {
    this.#notBefore = now + Math.min(this.everyMs * 2 ** this.#failures++, this.longestMs);
  }

  /** Called when the asked thing has changed: earlier failures no longer count. */
  changed(): void {
    this.#failures = 0;
    this.#notBefore = -Infinity;
  }
}
