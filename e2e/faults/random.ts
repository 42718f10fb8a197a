/** Returns numbers in [0, 1); all decisions of a seed use one of these. */
export type Random = () => number;

/** Mulberry32: small, seeded, good enough to choose moments. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

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
