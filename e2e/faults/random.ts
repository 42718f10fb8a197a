import type { Random } from "shared/random.ts";

export function between(random: Random, least: number, most: number): number {
  return least + random() * (most - least);
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

/** Returns the same elements in another order. */
export function shuffled<T>(random: Random, elements: readonly T[]): T[] {
  return elements.map((element) => ({ element, at: random() })).sort((a, b) => a.at - b.at)
    .map(({ element }) => element);
}
