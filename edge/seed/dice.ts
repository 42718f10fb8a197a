import { mulberry32 } from "shared/random.ts";

/** Repeatable random numbers, so that a world can be made again. */
export interface Dice {
  /** Returns an integer from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** Returns true in `percent` of 100 calls on average. */
  percent(percent: number): boolean;
  oneOf<T>(things: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  const next = mulberry32(seed);
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    whole,
    percent: (percent) => next() * 100 < percent,
    oneOf: (things) => things[whole(0, things.length - 1)]!,
  };
}
