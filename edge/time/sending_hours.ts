/**
 * When marketing may be sent, and service messages where the settings say so, in Asia/Jerusalem. Sunday to Thursday:
 * from opening to closing. Fridays and holiday eves: until the early closing. Sabbaths and holidays: never.
 *
 * The evening after a Sabbath or a holiday stays closed too, so no time of sunset is needed. The earliest sunset in
 * Jerusalem is 16:35, and the settings allow an early closing up to 15:00.
 */
import type { CampaignKind } from "shared/campaign.ts";
import type { Settings } from "shared/settings.ts";
import { instantOfHour, localDate, localHour } from "./local_day.ts";
import { isHoliday, weekdayOf } from "./hebrew_calendar.ts";
import { settingSql } from "../settings/setting_sql.ts";

export type SendingHours = Pick<Settings, "sendingOpensAt" | "sendingClosesAt" | "fridayClosesAt">;
/** The length of a day's open hours: all, until the early closing, or none. */
export type DayKind = "full" | "short" | "closed";

/** Bounds the search for the next open day. The longest run of closed days is a two-day New Year around a Sabbath. */
const MOST_DAYS_AHEAD = 10;
const FRIDAY = 5;
const SATURDAY = 6;

/** Returns the kind of a local date, numbered by localDate(). */
export function dayKind(date: number): DayKind {
  if (weekdayOf(date) === SATURDAY || isHoliday(date)) return "closed";
  return weekdayOf(date) === FRIDAY || isHoliday(date + 1) ? "short" : "full";
}

/** Returns whether an instant is within the open hours. */
export function isOpen(at: number, hours: SendingHours): boolean {
  return closesAt(at, hours) > at;
}

/** Returns the first open instant from `at` on; `at` itself while it is open. */
export function opensAt(at: number, hours: SendingHours): number {
  if (isOpen(at, hours)) return at;
  const today = localDate(at);
  for (let date = today; date < today + MOST_DAYS_AHEAD; date++) {
    const opening = instantOfHour(date, hours.sendingOpensAt);
    if (opening >= at && dayKind(date) !== "closed") return opening;
  }
  throw new RangeError(`Cannot find open hours within ${MOST_DAYS_AHEAD} days of ${at}`);
}

/** Returns the end of the open hours around `at`; `at` itself while it is closed. */
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

/** Returns the arguments of HOURS_ALLOW for an instant. */
export function hoursArgs(at: number): { localHour: number; dayKind: DayKind } {
  return { localHour: localHour(at), dayKind: dayKind(localDate(at)) };
}

/** SQL: whether the settings enforce sending hours for the kind of campaign `c`. */
export const KEEPS_HOURS = `CASE c.kind WHEN 'marketing' THEN ${settingSql("sendingHoursEnforced")}
  ELSE ${settingSql("serviceHoursEnforced")} END`;
// Marketing is never waived, even when its row has a waiver. A campaign of undeclared kind counts as service.
const IS_WAIVED = "(c.kind <> 'marketing' AND c.hours_waived_at IS NOT NULL)";
/** SQL: whether the sending hours bind campaign `c`. */
export const HOURS_BIND = `(${KEEPS_HOURS} AND NOT ${IS_WAIVED})`;
/** Returns whether an administrator waived the sending hours for a campaign, as IS_WAIVED does in SQL. */
export function isWaived(campaign: { kind: CampaignKind; hoursWaivedAt: number | null }): boolean {
  return campaign.kind !== "marketing" && campaign.hoursWaivedAt !== null;
}
/**
 * SQL: whether campaign `c` may be sent now, as isOpen() with the settings in force; needs the result of hoursArgs().
 */
export const HOURS_ALLOW = `(NOT ${HOURS_BIND}
  OR (:dayKind <> 'closed' AND :localHour >= ${settingSql("sendingOpensAt")} AND :localHour <
    CASE :dayKind WHEN 'short' THEN ${settingSql("fridayClosesAt")} ELSE ${
  settingSql("sendingClosesAt")
} END))`;
