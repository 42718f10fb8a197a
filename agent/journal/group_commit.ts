/** Lets the journal writes of many devices share one sync to disk. Each waits until its own write is on disk. */
import type { Clock } from "../time/clock.ts";
import type { Journal } from "./journal.ts";

/** How long the first write of a group waits for others: little beside the seconds that a phone takes. */
const GATHER_MS = 5;

interface Waiting {
  change(): void;
  done(): void;
  failed(error: unknown): void;
}

export class GroupCommit {
  #journal: Journal;
  #clock: Clock;
  #waiting: Waiting[] = [];

  constructor(options: { journal: Journal; clock: Clock }) {
    this.#journal = options.journal;
    this.#clock = options.clock;
  }

  /** Runs `change` in the next shared transaction. Returns its result after the sync. */
  run<T>(change: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      this.#waiting.push({ change: () => result = change(), done: () => resolve(result), failed: reject });
      if (this.#waiting.length === 1) this.#clock.sleep(GATHER_MS).then(() => this.#commit());
    });
  }

  #commit(): void {
    const group = this.#waiting;
    this.#waiting = [];
    try {
      this.#journal.together(() => group.forEach(({ change }) => change()));
    } catch (error) {
      return group.forEach(({ failed }) => failed(error));
    }
    group.forEach(({ done }) => done());
  }
}
