/** Repeatable random numbers, so that a world can be made again. */
export interface Dice {
  /** Returns an integer from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** Returns true in `percent` of 100 calls on average. */
  percent(percent: number): boolean;
  oneOf<T>(things: readonly T[]): T;
}

/** Returns numbers of mulberry32 (Tommy Ettinger, public domain). */
export function createDice(seed: number): Dice {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    whole,
    percent: (percent) => next() * 100 < percent,
    oneOf: (things) => things[whole(0, things.length - 1)]!,
  };
}
