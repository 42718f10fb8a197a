/** Admits one holder at a time, in the order of requests. */
export class WriteLock {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the caller holds the lock; the caller must `release()` it. */
  acquire(): Promise<void> {
    if (this.#held) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#held = true;
    return Promise.resolve();
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held = false;
    else next();
  }
}
