import { mulberry32 } from "../random.ts";

/** Choices that are the same for the same seed. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = mulberry32(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Returns a number from 1 to `limit`; each order of magnitude is equally likely. */
  size(limit: number): number {
    return Math.max(1, Math.floor(limit ** (this.below(1_000_001) / 1e6)));
  }
}
