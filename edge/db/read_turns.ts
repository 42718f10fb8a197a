import type { ReaderKey } from "./caller.ts";

/**
 * Longest time in milliseconds that simultaneous reads block the event loop, including their callers' work with the
 * rows.
 */
const LONGEST_TOGETHER_MS = 20;
/** Most reads started before any caller continues; a page of 500 rows takes 3 ms including its caller's work. */
const MOST_AT_ONCE = 8;

export interface ReadTurnsOptions {
  /** A monotonic clock in milliseconds. */
  clock(): number;
  /** Resolves when the callers of the reads so far have done their work of this turn. */
  turn(): Promise<void>;
  /** Resolves when the event loop has turned and has checked its sockets. */
  turnLoop(): Promise<void>;
}

/**
 * Decides when a read may begin. SQLite answers at once: two hundred lists requested together would otherwise be read
 * and serialized in one turn of the loop. Callers of the edge alternate, so a caller waits for a few reads of another
 * caller, however many that one asks for.
 */
export class ReadTurns {
  readonly #options: ReadTurnsOptions;
  /** The waiting reads by caller of the edge; the first of the map is next. */
  readonly #waiting = new Map<ReaderKey | undefined, (() => void)[]>();
  #underWay = 0;
  /** When the first read of this turn began; null = no read yet. */
  #began: number | null = null;
  #isHandingOut = false;

  constructor(options: ReadTurnsOptions) {
    this.#options = options;
  }

  /** Waits for a free place in a turn, then reads. */
  async read<T>(caller: ReaderKey | undefined, act: () => Promise<T>): Promise<T> {
    if (this.#isHandingOut || !this.#mayBegin()) await this.#wait(caller);
    this.#underWay++;
    try {
      return await act();
    } finally {
      this.#underWay--;
    }
  }

  #mayBegin(): boolean {
    const { clock, turn } = this.#options;
    if (this.#began === null) {
      this.#began = clock();
      void turn().then(() => {
        this.#began = null;
      });
    }
    return this.#underWay < MOST_AT_ONCE && clock() - this.#began < LONGEST_TOGETHER_MS;
  }

  #wait(caller: ReaderKey | undefined): Promise<void> {
    const turn = new Promise<void>((resolve) => {
      const reads = this.#waiting.get(caller);
      if (reads) reads.push(resolve);
      else this.#waiting.set(caller, [resolve]);
    });
    if (!this.#isHandingOut) void this.#handOut();
    return turn;
  }

  async #handOut(): Promise<void> {
    const { clock, turn, turnLoop } = this.#options;
    this.#isHandingOut = true;
    while (this.#waiting.size > 0) {
      await turnLoop();
      const until = clock() + LONGEST_TOGETHER_MS;
      do {
        this.#beginNext();
        await turn();
      } while (this.#waiting.size > 0 && clock() < until);
    }
    this.#isHandingOut = false;
  }

  #beginNext(): void {
    const [[caller, reads]] = this.#waiting as Iterable<[ReaderKey | undefined, (() => void)[]]>;
    const begin = reads.shift()!;
    this.#waiting.delete(caller);
    if (reads.length > 0) this.#waiting.set(caller, reads);
    begin();
  }
}
