import type { TrendKey } from "shared/trend_keys.ts";
import { MOST_TREND_ROWS, type Trends } from "shared/trends.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, plainText, rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { DEVICE_NAME } from "../devices/device_name.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { localDay, localMidnight } from "../time/local_day.ts";
import { TRENDS_COUNTED } from "../time/trends_counted.ts";
import { turnForRead } from "../time/turn_loop.ts";
import { endOfCountableDays } from "./count_trends.ts";

export interface TrendsRequest {
  days: number;
  by: TrendKey;
  id?: number | undefined;
}

const HOUR_MS = 60 * 60_000;
const HALF_DAY_MS = 12 * HOUR_MS;
/** Rows summed between two turns of the loop; 5,000 clients have 900,000 rows in twice 90 days. */
const SLICE_ROWS = 10_000;
const NOTHING = { sent: 0, failed: 0, unknown: 0 };

/** SQL of a dimension: its rows by day as `t`, its rows by hour as `h`, its key, and the name of a key. */
interface Dimension {
  days: string;
  hours: string;
  key: string;
  /** The table with a row for each key of a day: as many rows as a day can have. */
  all: string;
  named: string;
}

const ACCOUNT_JOIN = "JOIN accounts a ON a.id =";
const DIMENSIONS: Record<TrendKey, Dimension> = {
  site: {
    days: `account_trends t ${ACCOUNT_JOIN} t.account`,
    hours: `account_hours h ${ACCOUNT_JOIN} h.account`,
    key: "a.site",
    all: "accounts",
    named: "SELECT s.id AS id, s.name AS name, '' AS place FROM sites s",
  },
  account: {
    days: `account_trends t ${ACCOUNT_JOIN} t.account`,
    hours: `account_hours h ${ACCOUNT_JOIN} h.account`,
    key: "a.id",
    all: "accounts",
    named: `SELECT n.id AS id, coalesce(nullif(n.label, ''), ${DEVICE_NAME}) AS name, s.name AS place
      FROM accounts n JOIN devices d ON d.id = n.device JOIN sites s ON s.id = n.site`,
  },
  client: {
    days: "client_trends t",
    hours: "client_hours h",
    key: "client",
    all: "users",
    named: "SELECT u.id AS id, u.username AS name, '' AS place FROM users u",
  },
};

const COUNTED = `SELECT CAST(value AS INTEGER) AS counted FROM system WHERE key = '${TRENDS_COUNTED}'`;
const SUMS = "sum(t.sent) AS sent, sum(t.failed) AS failed, sum(t.unknown) AS unknown";
const OUTCOMES = { sent: wholeNumber, failed: wholeNumber, unknown: wholeNumber };

/**
 * Returns the whole local days that ended last, and as many before them, by site, account or client. The days are
 * summed in slices; the sum ends when `left` aborts.
 */
export async function readTrends(
  ctx: EdgeContext,
  request: TrendsRequest,
  left?: AbortSignal,
): Promise<Trends> {
  const end = endOfCountableDays(ctx.now());
  const read = await readUntil(ctx, request, end, left);
  // The days up to the end of the period are counted within a minute of it.
  if (read.counted === null || read.counted * HOUR_MS >= end) return read.trends;
  return (await readUntil(ctx, request, localMidnight(read.counted * HOUR_MS), left)).trends;
}

async function readUntil(ctx: EdgeContext, request: TrendsRequest, until: number, left?: AbortSignal) {
  const { days, by, id } = request;
  const { hours, key, all } = DIMENSIONS[by];
  const midnights = daysBefore(until, 2 * days);
  const found = await readBatch(ctx.db, {
    counted: COUNTED,
    since: `SELECT min(day) AS since FROM ${by === "client" ? "client_trends" : "account_trends"}`,
    keys: `SELECT count(*) AS keys FROM ${all}`,
    since24: statement(
      `SELECT coalesce(sum(h.sent), 0) AS sent FROM ${hours}
        WHERE h.hour >= :hour AND (:id IS NULL OR ${key} = :id)`,
      { hour: until / HOUR_MS, id: id ?? null },
    ),
  });
  const [counted] = rowsAs(found.counted, { counted: wholeNumber });
  const [{ since }] = rowsAs(found.since, { since: orNull(wholeNumber) }) as [{ since: number | null }];
  const [{ keys }] = rowsAs(found.keys, { keys: wholeNumber }) as [{ keys: number }];
  const [{ sent: sentSince }] = rowsAs(found.since24, { sent: wholeNumber }) as [{ sent: number }];
  const { byDay, byKey } = await sumDays(ctx, request, midnights, keys, left);
  const outcomesOf = (at: number) =>
    since === null || localDay(at) < since ? null : byDay.get(localDay(at)) ?? NOTHING;
  const before = midnights.slice(0, days).map(outcomesOf);
  const isCompared = before.every((outcomes) => outcomes !== null);
  const period = midnights.slice(days);
  const largest = [...byKey.values()].sort((a, b) =>
    b.sent - a.sent || b.sentBefore - a.sentBefore || a.key - b.key
  ).slice(0, MOST_TREND_ROWS);
  const names = await readNames(ctx, by, largest.map((row) => row.key));
  const trends: Trends = {
    days,
    by,
    from: period[0]!,
    until,
    measuredSince: since === null ? null : dayStart(since),
    total: sumOf(period.map(outcomesOf)),
    before: isCompared ? sumOf(before) : null,
    sentSince,
    points: period.map((at, index) => {
      const { sent = null, failed = null, unknown = null } = outcomesOf(at) ?? {};
      return { at, sent, failed, unknown, sentBefore: before[index]?.sent ?? null };
    }),
    items: largest.flatMap(({ key, sentBefore, ...outcomes }) => {
      const named = names.get(key);
      return named ? [{ ...named, ...outcomes, sentBefore: isCompared ? sentBefore : null }] : [];
    }),
    more: Math.max(0, byKey.size - MOST_TREND_ROWS),
  };
  return { counted: counted?.counted ?? null, trends };
}

interface KeySums {
  key: number;
  sent: number;
  failed: number;
  unknown: number;
  sentBefore: number;
}

/** Sums the days of `midnights`, half of them before the period: those of the chosen key by day, and all by key. */
async function sumDays(
  ctx: EdgeContext,
  { days, by, id }: TrendsRequest,
  midnights: readonly number[],
  keys: number,
  left?: AbortSignal,
) {
  const { days: daily, key } = DIMENSIONS[by];
  const byDay = new Map<number, typeof NOTHING>();
  const byKey = new Map<number, KeySums>();
  const sliceDays = Math.max(1, Math.floor(SLICE_ROWS / Math.max(1, keys)));
  for (const [from, to] of slicesOf(midnights.length, days, sliceDays)) {
    if (from > 0) await turnForRead();
    endIfCallerLeft(left);
    const args = {
      first: localDay(midnights[from]!),
      last: localDay(midnights[to - 1]!),
      id: id ?? null,
    };
    const found = await readBatch(ctx.db, {
      byDay: statement(
        `SELECT t.day AS day, ${SUMS} FROM ${daily}
          WHERE t.day BETWEEN :first AND :last AND (:id IS NULL OR ${key} = :id) GROUP BY t.day`,
        args,
      ),
      byKey: statement(
        `SELECT ${key} AS key, ${SUMS} FROM ${daily} WHERE t.day BETWEEN :first AND :last GROUP BY ${key}`,
        args,
      ),
    });
    for (const { day, ...outcomes } of rowsAs(found.byDay, { day: wholeNumber, ...OUTCOMES })) {
      byDay.set(day, outcomes);
    }
    for (const row of rowsAs(found.byKey, { key: wholeNumber, ...OUTCOMES })) {
      const sums = byKey.get(row.key) ?? { ...NOTHING, key: row.key, sentBefore: 0 };
      byKey.set(row.key, sums);
      if (from < days) {
        sums.sentBefore += row.sent;
        continue;
      }
      sums.sent += row.sent;
      sums.failed += row.failed;
      sums.unknown += row.unknown;
    }
  }
  return { byDay, byKey };
}

/** Returns slices `[from, to)` of `count` days, none over the day `middle`. */
function slicesOf(count: number, middle: number, sliceDays: number): [from: number, to: number][] {
  const slices: [number, number][] = [];
  for (let from = 0; from < count;) {
    const to = Math.min(from + sliceDays, from < middle ? middle : count);
    slices.push([from, to]);
    from = to;
  }
  return slices;
}

async function readNames(ctx: EdgeContext, by: TrendKey, keys: readonly number[]) {
  const found = await ctx.db.execute(statement(
    `SELECT n.* FROM (${DIMENSIONS[by].named}) n WHERE n.id IN (SELECT value FROM json_each(:keys))`,
    { keys: JSON.stringify(keys) },
  ));
  const named = rowsAs(found, { id: wholeNumber, name: plainText, place: plainText });
  return new Map(named.map((row) => [row.id, row]));
}

/** Returns the local midnights that begin the `count` days before the midnight `until`, oldest first. */
function daysBefore(until: number, count: number): number[] {
  const midnights: number[] = [];
  for (let at = until; midnights.length < count;) midnights.push(at = localMidnight(at - HALF_DAY_MS));
  return midnights.reverse();
}

/** Returns the local midnight that begins a day, yyyymmdd. */
function dayStart(day: number): number {
  return localMidnight(Date.UTC(Math.floor(day / 10_000), Math.floor(day / 100) % 100 - 1, day % 100, 12));
}

function sumOf(days: (typeof NOTHING | null)[]): typeof NOTHING {
  const sum = { ...NOTHING };
  for (const day of days) {
    sum.sent += day?.sent ?? 0;
    sum.failed += day?.failed ?? 0;
    sum.unknown += day?.unknown ?? 0;
  }
  return sum;
}
