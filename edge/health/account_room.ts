/** How much an account may still send today and this hour, as SQL. The claim and the screens share it. */
import { localDay, localMidnight } from "../time/local_day.ts";
import { hourCapSql } from "./hour_share.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { warmUpCapSql } from "./warm_up.ts";

const HOUR_MS = 60 * 60_000;

/** The daily cap of `accounts a`: the lower of the settings' cap and its warm-up. Needs :dayStart. */
export const ACCOUNT_DAY_CAP = warmUpCapSql(settingSql("maxMessagesPerDay"), settingSql("warmupEnabled"));
/** The hourly cap of an account whose daily cap is the column `cap`. */
export const ACCOUNT_HOUR_CAP = hourCapSql("cap", settingSql("hourlyPercent"));
/** Room taken in the present hour, from its row `t` of account_days; the row may be missing. Needs :hour. */
export const HOUR_USED = "coalesce(iif(t.hour = :hour, t.hour_used, 0), 0)";

/** An account may be given this many times its daily cap in one day. */
const GIVEN_DAYS = 3;
/** Deliveries on top of that: a phone with a small cap is unplugged as often as others. */
const GIVEN_EXTRA = 60;

/**
 * How many deliveries an account may still be given today, from the columns `cap` and `given`. Returned deliveries free
 * no room here. Otherwise a stolen key could lease and return until it had read the whole queue.
 */
export const GIVEN_ROOM = `(${GIVEN_DAYS} * cap + ${GIVEN_EXTRA} - given)`;
/** Deliveries given today, from its row `t` of account_days; the row may be missing. */
export const GIVEN = "coalesce(t.given, 0)";

/**
 * True when account `a` returned more today than its whole daily cap, by its row `t` of account_days. Needs :dayStart.
 */
export const HAS_GIVEN_BACK = `(t.given - t.used > ${ACCOUNT_DAY_CAP})`;

/**
 * Returns the local day (yyyymmdd), its first instant in ms, and the clock hour since 1970. An hour belongs to one
 * local day.
 */
export function roomArgs(now: number): { day: number; dayStart: number; hour: number } {
  return { day: localDay(now), dayStart: localMidnight(now), hour: Math.floor(now / HOUR_MS) };
}

/** Returns the start of the next clock hour, in ms. */
export function nextHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}
