import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { localDay, localMidnight } from "../time/local_day.ts";
import { TRENDS_COUNTED } from "../time/trends_counted.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours of outcomes that are kept by hour; a day of them can be counted again. */
export const HOURS_KEPT = 35 * 24;
/** More than twice the longest period of the screen. */
export const TRENDS_KEPT_MS = 400 * DAY_MS;
/** Another edge whose clock is behind may write into a day for this long after its end. */
const AFTER_MIDNIGHT_MS = 15 * 60_000;

const DUE = `SELECT (SELECT CAST(value AS INTEGER) FROM system WHERE key = '${TRENDS_COUNTED}') AS counted,
  (SELECT min(hour) FROM account_hours) AS "firstOfAccounts", (SELECT min(hour) FROM client_hours) AS "firstOfClients"`;
const COUNT = (["account", "client"] as const).map((key) =>
  `INSERT INTO ${key}_trends (day, ${key}, sent, failed, unknown)
    SELECT :day, ${key}, sum(sent), sum(failed), sum(unknown) FROM ${key}_hours
    WHERE hour >= :from AND hour < :until GROUP BY ${key}
    ON CONFLICT (day, ${key}) DO UPDATE SET sent = excluded.sent, failed = excluded.failed,
      unknown = excluded.unknown`
);
// Another value was written meanwhile: those days are counted at the next tick.
const COUNTED = `INSERT INTO system (key, value) VALUES ('${TRENDS_COUNTED}', :until)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE CAST(value AS INTEGER) IS :counted`;

/** Returns the midnight, in milliseconds, up to which days can be counted. */
export function endOfCountableDays(now: number): number {
  return localMidnight(now - AFTER_MIDNIGHT_MS);
}

/**
 * Adds the sums of each local day that has ended to `account_trends` and `client_trends`; a tick. A day is counted
 * from its hours as a whole, so counting it again is harmless.
 */
export async function countTrends(ctx: EdgeContext): Promise<void> {
  const now = ctx.now();
  const end = endOfCountableDays(now);
  const until = end / HOUR_MS;
  const { rows: [due] } = await ctx.db.execute(DUE);
  const { counted, firstOfAccounts, firstOfClients } = due as unknown as Record<string, number | null>;
  if (counted !== null && counted! >= until) return;
  // A database older than this count may have lost the hours of its first days.
  const oldest = Math.ceil(now / HOUR_MS) - HOURS_KEPT + 24;
  const first = counted ??
    Math.max(oldest, Math.min(firstOfAccounts ?? until, firstOfClients ?? until));
  const days = [];
  for (let from = localMidnight(first! * HOUR_MS); from < end;) {
    const next = localMidnight(from + DAY_MS + 2 * HOUR_MS);
    days.push({ day: localDay(from), from: from / HOUR_MS, until: next / HOUR_MS });
    from = next;
  }
  await ctx.db.batch([
    ...days.flatMap((day) => COUNT.map((sql) => statement(sql, day))),
    statement(COUNTED, { until, counted: counted ?? null }),
  ], "write");
}
