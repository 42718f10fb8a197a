import { israelDay, israelInstant } from "shared/israel_time.ts";
import { type RepeatRule, runDays } from "shared/series_days.ts";
import { dayAfter } from "shared/israel_time.ts";

/** Every rule has a run within two Hebrew years. */
const SEARCHED_DAYS = 800;

export interface NextRun {
  /** yyyy-mm-dd. */
  day: string;
  /** ms. */
  at: number;
}

export interface Repeat {
  rule: RepeatRule;
  /** Minutes after midnight in Israel. */
  minutes: number;
  /** yyyy-mm-dd; null = no end. */
  lastDay: string | null;
}

/** Returns the first run on `day` or later; null when the repeat has none left. */
export function nextRunFrom({ rule, minutes, lastDay }: Repeat, day: string): NextRun | null {
  const end = dayAfter(day, SEARCHED_DAYS);
  const [found] = runDays(rule, day, lastDay !== null && lastDay < end ? lastDay : end, 1);
  return found === undefined ? null : { day: found, at: momentOf(found, minutes) };
}

/** Returns the first run that starts after `now`, ms. */
export function nextRunAfter(repeat: Repeat, now: number): NextRun | null {
  const today = nextRunFrom(repeat, israelDay(now));
  return today !== null && today.at <= now ? nextRunFrom(repeat, dayAfter(today.day, 1)) : today;
}

/** Returns the moment of a run, ms; in the hour that the clock leaves out it is an hour later. */
function momentOf(day: string, minutes: number): number {
  return israelInstant(day, minutes) ?? israelInstant(day, minutes + 60)!;
}
