/** A clock that runs `factor` times faster, so that deadlines of seconds pass quickly in tests. */
import type { Clock } from "../time/clock.ts";
import { systemClock } from "../time/system_clock.ts";

export function fastClock(factor: number): Clock {
  const startedAt = Date.now();
  const monotonic = () => performance.now() * factor;
  const monotonicStart = monotonic();
  return {
    monotonic,
    now: () => Math.round(startedAt + monotonic() - monotonicStart),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
