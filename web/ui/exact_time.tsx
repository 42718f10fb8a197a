import { formatDay } from "../text/format.ts";
import { formatTimeWithSeconds } from "../text/format_exact.ts";
import { Num } from "./num.tsx";
import { useNow } from "./use_now.ts";

const DAY_STEP_MS = 60_000;

/** A time to the second, with the day under it unless it is today. */
export function ExactTime({ at }: { at: number }) {
  const now = useNow(DAY_STEP_MS);
  const day = formatDay(at, now);
  return (
    <>
      <Num>{formatTimeWithSeconds(at)}</Num>
      {day !== formatDay(now, now) && <span className="block text-xs text-ink-3">{day}</span>}
    </>
  );
}
