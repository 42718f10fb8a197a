/** How much an account may still send today and this hour, as SQL: the claim and the screens ask the same. */
import { localDay, localMidnight } from "../time/local_day.ts";
import { hourCapSql } from "./hour_share.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { warmUpCapSql } from "./warm_up.ts";

const HOUR_MS = 60 * 60_000;

/** The day of `accounts a`: the least of the settings' cap and its warm-up. Needs :dayStart. */
export const ACCOUNT_DAY_CAP = warmUpCapSql(settingSql("maxMessagesPerDay"), settingSql("warmupEnabled"));
/** The hour of an account whose day is the column `cap`. */
export const ACCOUNT_HOUR_CAP = hourCapSql("cap", settingSql("hourlyPercent"));
/** What it took of the present hour, by its row `t` of account_days, which may be missing. Needs :hour. */
export const HOUR_USED = "coalesce(iif(t.hour = :hour, t.hour_used, 0), 0)";

/** Days of its cap that an account may be given in one day. */
const GIVEN_DAYS = 3;
/** Deliveries besides: a phone with a small day is unplugged as often as another. */
const GIVEN_BESIDES = 60;

/**
 * What an account may still be given today, over the columns `cap` and `given`. What it gives back gives no room here:
 * else a stolen key would lease and give back until it had read all that waits.
 */
export const GIVEN_ROOM = `(${GIVEN_DAYS} * cap + ${GIVEN_BESIDES} - given)`;
/** What it was given today, by its row `t` of account_days, which may be missing. */
export const GIVEN = "coalesce(t.given, 0)";

/** Whether account `a` gave back more today than its whole day, by its row `t` of account_days. Needs :dayStart. */
export const HAS_GIVEN_BACK = `(t.given - t.used > ${ACCOUNT_DAY_CAP})`;

/** The local day (yyyymmdd), its first instant, and the clock hour since 1970; an hour belongs to one local day. */
export function roomArgs(now: number): { day: number; dayStart: number; hour: number } {
  return { day: localDay(now), dayStart: localMidnight(now), hour: Math.floor(now / HOUR_MS) };
}

/** The instant at which the next clock hour begins. */
export function nextHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}
