/** Watches the machine's clock while the edge runs: sending hours, waits and sessions depend on it. */
import { watchJumps } from "shared/clock_watch.ts";
import type { Log } from "../log.ts";

const EVERY_MS = 1_000;

export interface ClockJumpParts {
  now(): number;
  /** Monotonic, in milliseconds. */
  clock(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  log: Log;
}

/** Logs each jump of the wall clock against the monotonic one, until the signal aborts. */
export async function watchClockJumps(
  { now, clock, sleep, log }: ClockJumpParts,
  signal: AbortSignal,
): Promise<void> {
  const look = watchJumps({ now, monotonic: clock });
  while (!signal.aborted) {
    const ms = look();
    if (ms !== 0) log.warn("clock_jumped", { ms });
    await sleep(EVERY_MS, signal);
  }
}
