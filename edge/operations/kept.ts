/** Reads an expensive value at most once in some time, for any number of callers. */
import type { EdgeContext } from "../context.ts";
import { inTime } from "./in_time.ts";

export interface KeptParts {
  /** Monotonic, in milliseconds. */
  clock(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Kept<Value> {
  /** The last value; null = not read yet, failed, or late. */
  readonly value: Value | null;
  /** Reads it again when it is old enough. */
  refresh(ctx: EdgeContext): Promise<void>;
}

/** Stores the result of `read` for `forMs`, also a failure. */
export function keep<Value>(
  { clock, sleep }: KeptParts,
  forMs: number,
  read: (ctx: EdgeContext) => Promise<Value>,
): Kept<Value> {
  let value: Value | null = null;
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;

  async function readAgain(ctx: EdgeContext): Promise<void> {
    readAt = clock();
    value = await inTime(sleep, read(ctx).catch(() => null), null);
  }
  return {
    get value() {
      return value;
    },
    async refresh(ctx) {
      if (clock() - readAt >= forMs) reading ??= readAgain(ctx).finally(() => reading = null);
      await reading;
    },
  };
}
