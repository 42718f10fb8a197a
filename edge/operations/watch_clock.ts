import { createClockWatch, type WatchedClock } from "shared/clock_watch.ts";
import type { Log } from "../log.ts";

const LOOK_EVERY_MS = 1_000;

export interface ClockParts extends WatchedClock {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  log: Log;
}

/** Logs `clock_jumped` whenever this machine's clock was set, until the signal aborts. */
export async function watchClock({ sleep, log, ...clock }: ClockParts, signal: AbortSignal): Promise<void> {
  const look = createClockWatch(clock);
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, signal);
    const ms = look();
    if (ms !== 0) log.warn("clock_jumped", { ms });
  }
}
