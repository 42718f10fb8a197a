import { dayAfter, israelDay, israelInstant } from "shared/israel_time.ts";
import type { OneSeries } from "shared/series_api.ts";
import { runDays } from "shared/series_days.ts";

/** Returns the first run from tomorrow, or from `day`, on; ms. */
export function nextOf(
  { rule, minutes }: Pick<OneSeries, "rule" | "minutes">,
  day = dayAfter(israelDay(Date.now()), 1),
): number {
  return israelInstant(runDays(rule, day, dayAfter(day, 800), 1)[0]!, minutes)!;
}
