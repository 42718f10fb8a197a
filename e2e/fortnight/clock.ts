/** The only clock of the simulation: runs acts in the order of their times, without waiting between them. */
export class Clock {
  now: number;
  /** A binary heap ordered by time, then by the order of scheduling. */
  readonly #acts: Act[] = [];
  #asked = 0;

  constructor(startsAt: number) {
    this.now = startsAt;
  }

  /** Runs `act` at a time, or immediately when it is past. */
  at(at: number, act: () => void | Promise<void>): void {
    const acts = this.#acts;
    acts.push({ at: Math.max(at, this.now), no: this.#asked++, act });
    let child = acts.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (isBefore(acts[parent]!, acts[child]!)) break;
      swap(acts, parent, child);
      child = parent;
    }
  }

  /** Runs all acts until `until`, and leaves the clock there. */
  async run(until: number): Promise<void> {
    while (this.#acts.length > 0 && this.#acts[0]!.at <= until) {
      const { at, act } = this.#take();
      this.now = at;
      await act();
    }
    this.now = until;
  }

  #take(): Act {
    const acts = this.#acts;
    swap(acts, 0, acts.length - 1);
    const first = acts.pop()!;
    let parent = 0;
    for (;;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < acts.length && isBefore(acts[child]!, acts[least]!)) least = child;
      }
      if (least === parent) return first;
      swap(acts, parent, least);
      parent = least;
    }
  }
}

interface Act {
  at: number;
  no: number;
  act: () => void | Promise<void>;
}

function isBefore(a: Act, b: Act): boolean {
  return a.at < b.at || (a.at === b.at && a.no < b.no);
}

function swap(acts: Act[], a: number, b: number): void {
  [acts[a], acts[b]] = [acts[b]!, acts[a]!];
}
