/**
 * When marketing may be sent, and service where the settings say so, in Asia/Jerusalem: Sunday to Thursday from opening
 * to closing, on Fridays and the eves of holidays until the early closing, on the Sabbath and on holidays not at all.
 * The evening after a Sabbath or a holiday stays closed too, so no time of sunset is needed: the earliest in Jerusalem
 * is 16:35, and the latest early closing the settings allow is 15:00.
 */
import type { CampaignKind } from "shared/campaign.ts";
import type { Settings } from "shared/settings.ts";
import { instantOfHour, localDate, localHour } from "./local_day.ts";
import { isHoliday, weekdayOf } from "./hebrew_calendar.ts";
import { settingSql } from "../settings/setting_sql.ts";

export type SendingHours = Pick<Settings, "sendingOpensAt" | "sendingClosesAt" | "fridayClosesAt">;
/** How long a day is open: all its hours, until the early closing, or not at all. */
export type DayKind = "full" | "short" | "closed";

/** Longest run of closed days is that of a two-day New Year around a Sabbath; the search for the next is bounded. */
const MOST_DAYS_AHEAD = 10;
const FRIDAY = 5;
const SATURDAY = 6;

/** What kind of day a local date is (localDate() numbers it). */
export function dayKind(date: number): DayKind {
  if (weekdayOf(date) === SATURDAY || isHoliday(date)) return "closed";
  return weekdayOf(date) === FRIDAY || isHoliday(date + 1) ? "short" : "full";
}

/** Whether an instant lies in the open hours. */
export function isOpen(at: number, hours: SendingHours): boolean {
  return closesAt(at, hours) > at;
}

/** The first open instant from `at` on: `at` itself while it is open. */
export function opensAt(at: number, hours: SendingHours): number {
  if (isOpen(at, hours)) return at;
  const today = localDate(at);
  for (let date = today; date < today + MOST_DAYS_AHEAD; date++) {
    const opening = instantOfHour(date, hours.sendingOpensAt);
    if (opening >= at && dayKind(date) !== "closed") return opening;
  }
  throw new RangeError(`Cannot find open hours within ${MOST_DAYS_AHEAD} days of ${at}`);
}

/** The end of the open hours in which `at` lies; `at` itself while it is closed. */
export function closesAt(at: number, hours: SendingHours): number {
  const date = localDate(at);
  const closing = closingHour(dayKind(date), hours);
  const hour = localHour(at);
  return closing !== null && hour >= hours.sendingOpensAt && hour < closing
    ? instantOfHour(date, closing)
    : at;
}

function closingHour(kind: DayKind, { sendingClosesAt, fridayClosesAt }: SendingHours): number | null {
  return kind === "full" ? sendingClosesAt : kind === "short" ? fridayClosesAt : null;
}

/** What HOURS_ALLOW needs of an instant. */
export function hoursArgs(at: number): { localHour: number; dayKind: DayKind } {
  return { localHour: localHour(at), dayKind: dayKind(localDate(at)) };
}

/** SQL: whether the settings hold campaigns of `c`'s kind to them. */
export const KEEPS_HOURS = `CASE c.kind WHEN 'marketing' THEN ${settingSql("sendingHoursEnforced")}
  ELSE ${settingSql("serviceHoursEnforced")} END`;
// Advertising is never waived, whatever was written on it; a campaign of undeclared kind counts as service.
const IS_WAIVED = "(c.kind <> 'marketing' AND c.hours_waived_at IS NOT NULL)";
/** SQL: whether the sending hours bind campaign `c`. */
export const HOURS_BIND = `(${KEEPS_HOURS} AND NOT ${IS_WAIVED})`;
/** What SQL asks of a campaign: whether an administrator waived them for it. */
export function isWaived(campaign: { kind: CampaignKind; hoursWaivedAt: number | null }): boolean {
  return campaign.kind !== "marketing" && campaign.hoursWaivedAt !== null;
}
/** SQL: whether campaign `c` may be sent now, isOpen() by the settings in force; needs what hoursArgs() answers. */
export const HOURS_ALLOW = `(NOT ${HOURS_BIND}
  OR (:dayKind <> 'closed' AND :localHour >= ${settingSql("sendingOpensAt")} AND :localHour <
    CASE :dayKind WHEN 'short' THEN ${settingSql("fridayClosesAt")} ELSE ${
  settingSql("sendingClosesAt")
} END))`;
