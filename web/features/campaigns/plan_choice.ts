/** A day and an hour as a person chooses them, and the moment that they name. */
import { MAX_PLAN_AHEAD_MS } from "shared/campaign.ts";
import { dayAfter, israelDay, israelInstant, israelMinutes } from "shared/israel_time.ts";
import { readDay, writeDay } from "../../text/day.ts";
import { PLAN } from "./text/plan.ts";

export interface PlanChoice {
  /** The day as typed. */
  day: string;
  /** Minutes after midnight. */
  minutes: number;
}

/** The usual beginning of a morning. */
const MORNING_MINUTES = 9 * 60;

/** Returns the choice that a dialog begins with: tomorrow morning, or the time that is planned. */
export function beginChoice(now: number, plannedAt: number | null): PlanChoice {
  if (plannedAt !== null && plannedAt > now) {
    return { day: writeDay(israelDay(plannedAt)), minutes: israelMinutes(plannedAt) };
  }
  return { day: writeDay(dayAfter(israelDay(now), 1)), minutes: MORNING_MINUTES };
}

/** Returns the chosen moment, ms, or the sentence that says what is wrong with it. */
export function momentOf(
  { day, minutes }: PlanChoice,
  now: number,
): { at: number; problem?: undefined } | { at?: undefined; problem: string } {
  const iso = readDay(day, israelDay(now));
  if (iso === undefined) return { problem: PLAN.missingDay };
  const at = israelInstant(iso, minutes);
  if (at === null) return { problem: PLAN.leftOut };
  if (at <= now) return { problem: PLAN.past };
  if (at > now + MAX_PLAN_AHEAD_MS) return { problem: PLAN.tooFar };
  return { at };
}
