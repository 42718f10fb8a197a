const STEPS = 5;
const NICE = [1, 2, 2.5, 5, 10];

/**
 * Returns five even, readable steps of whole numbers up to at least `most`: 2310 → [0, 500, 1000, 1500, 2000,
 * 2500].
 */
export function chartScale(most: number): number[] {
  const rough = Math.max(most, STEPS) / STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = NICE.map((nice) => nice * power).find((size) => size >= rough && Number.isInteger(size)) ??
    10 * power;
  return Array.from({ length: STEPS + 1 }, (_, index) => index * step);
}
