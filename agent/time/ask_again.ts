/** When to ask again what did not answer: less and less often, up to a limit, and at once when something changed. */
export class AskAgain {
  #failures = 0;
  #notBefore = -Infinity;

  constructor(private readonly everyMs: number, private readonly longestMs: number) {}

  /** Whether it may be asked at this monotonic time. */
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

  /** What was asked has changed: what is known of it counts no more. */
  changed(): void {
    this.#failures = 0;
    this.#notBefore = -Infinity;
  }
}
