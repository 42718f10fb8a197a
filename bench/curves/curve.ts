/** Measures how a cost grows with a size: a few sizes side by side. */
import type { Part, Table } from "../figure.ts";

export interface Curve {
  name: string;
  about: string;
  /** Name of the size. */
  of: string;
  sizes: readonly number[];
  /** Names of the measured costs, with units. */
  costs: readonly string[];
  /** Returns the costs at a size. */
  measure(size: number): Promise<number[]>;
}

/** Returns a part of the bench that measures a curve from its first size to its last. */
export function curvePart({ name, about, of, sizes, costs, measure }: Curve): Part {
  return {
    name,
    group: "curves",
    about,
    async *measure(): AsyncGenerator<Table> {
      const rows: number[][] = [];
      for (const size of sizes) rows.push([size, ...await measure(size)]);
      yield { columns: [of, ...costs], rows, lastToFirst: lastToFirst(rows) };
    },
  };
}

/** Returns the ratio of last to first row, without the first column. */
export function lastToFirst(rows: readonly number[][]): number[] {
  const [first, last] = [rows[0], rows.at(-1)!];
  return first.slice(1).map((cost, index) => last[index + 1] / cost);
}

/** Returns the milliseconds of each of `times` sequential calls. */
export async function timesOf(times: number, act: (call: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let call = 0; call < times; call++) {
    const beganAt = performance.now();
    await act(call);
    took.push(performance.now() - beganAt);
  }
  return took;
}
