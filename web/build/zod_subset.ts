/**
 * The part of zod that the shared words use, small enough for the browser: build.ts puts it in zod's place.
 *
 * zod weighs 77 kB brotli in a bundle (24 kB with only the used functions), more than the whole client home;
 * the browser checks live events and nothing else. `zod_subset_test.ts` holds it to zod's own verdicts.
 * It does not explain failures, transform, or know anything that the shared live events do not say.
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

  /** Of a number. */
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
