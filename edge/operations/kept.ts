/** What costs something to read is read once in some time, however many ask. */
import type { EdgeContext } from "../context.ts";
import { inTime } from "./in_time.ts";

export interface KeptParts {
  /** Monotonic, in milliseconds. */
  clock(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Kept<Value> {
  /** As last read; null = not yet, or it failed or took too long. */
  readonly value: Value | null;
  /** Reads it again where it has been kept for long enough. */
  refresh(ctx: EdgeContext): Promise<void>;
}

/** Keeps what `read` answers for `forMs`, a failure as well. */
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
