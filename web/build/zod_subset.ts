/**
 * A small subset of zod for the browser; build.ts replaces zod with it.
 *
 * zod adds 77 kB brotli to a bundle (24 kB with only the used functions), more than the whole client home. The
 * browser validates only live events. `zod_subset_test.ts` compares its verdicts with zod's. It does not explain
 * failures or transform values, and supports only what the live event schema uses.
 */

type Check = (value: unknown) => boolean;

class Schema {
  readonly check: Check;

  constructor(check: Check) {
    this.check = check;
  }

  safeParse(value: unknown): { success: true; data: unknown } | { success: false } {
    return this.check(value) ? { success: true, data: value } : { success: false };
  }

  /** Least value of a number. */
  min(least: number): Schema {
    return new Schema((value) => this.check(value) && (value as number) >= least);
  }

  nullable(): Schema {
    return new Schema((value) => value === null || this.check(value));
  }
}

export const z = {
  int: () => new Schema((value) => Number.isSafeInteger(value)),
  string: () => new Schema((value) => typeof value === "string"),
  boolean: () => new Schema((value) => typeof value === "boolean"),
  literal: (wanted: unknown) => new Schema((value) => value === wanted),
  enum: (words: readonly string[]) => new Schema((value) => words.includes(value as string)),
  object: (shape: Record<string, Schema>) =>
    new Schema((value) =>
      isRecord(value) && Object.entries(shape).every(([key, schema]) => schema.check(value[key]))
    ),
  discriminatedUnion: (_key: string, options: Schema[]) =>
    new Schema((value) => options.some((option) => option.check(value))),
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
