/** How much an account may still send today and this hour, as SQL: the claim and the screens ask the same. */
import { localDay, localMidnight } from "../queue/local_day.ts";
import { hourCapSql } from "./hour_share.ts";
import { settingSql } from "./setting_sql.ts";
import { warmUpCapSql } from "./warm_up.ts";

const HOUR_MS = 60 * 60_000;

/** The day of `accounts a`: the least of the settings' cap and its warm-up. Needs :dayStart. */
export const ACCOUNT_DAY_CAP = warmUpCapSql(settingSql("maxMessagesPerDay"), settingSql("warmupEnabled"));
/** The hour of an account whose day is the column `cap`. */
export const ACCOUNT_HOUR_CAP = hourCapSql("cap", settingSql("hourlyPercent"));
/** What it took of the present hour, by its row `t` of account_days, which may be missing. Needs :hour. */
export const HOUR_USED = "coalesce(iif(t.hour = :hour, t.hour_used, 0), 0)";

/** The local day (yyyymmdd), its first instant, and the clock hour since 1970; an hour belongs to one local day. */
export function roomArgs(now: number): { day: number; dayStart: number; hour: number } {
  return { day: localDay(now), dayStart: localMidnight(now), hour: Math.floor(now / HOUR_MS) };
}

/** The instant at which the next clock hour begins. */
export function nextHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}
