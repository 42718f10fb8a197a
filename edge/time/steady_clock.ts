import { CLOCK_JUMP_MS, type Clocks } from "shared/clock_watch.ts";

/** A clock that was set forward is believed after it has stayed so for this long: NTP corrects most faults sooner. */
export const BELIEVED_AFTER_MS = 2 * 60_000;

/**
 * Returns the time, ms, of a wall clock that does not lead an act to begin early: after a jump forward, or a sleep of the
 * machine, it goes on by the monotonic clock until the jump is BELIEVED_AFTER_MS old. Call it every few seconds.
 */
export function createSteadyClock({ now, monotonic }: Clocks): () => number {
  let ahead: number | null = null;
  let jumpedAt: number | null = null;
  return () => {
    const [wall, steady] = [now(), monotonic()];
    const isJump = ahead !== null && wall - steady - ahead >= CLOCK_JUMP_MS;
    if (isJump) jumpedAt ??= steady;
    if (!isJump || steady - jumpedAt! >= BELIEVED_AFTER_MS) {
      ahead = wall - steady;
      jumpedAt = null;
    }
    return Math.min(wall, steady + ahead!);
  };
}
