import type { TrendKey } from "shared/trend_keys.ts";
import { MOST_TREND_ROWS, type Trends } from "shared/trends.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, plainText, rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { DEVICE_NAME } from "../devices/device_name.ts";
import { localDay, localMidnight } from "../time/local_day.ts";
import { TRENDS_COUNTED } from "../time/trends_counted.ts";
import { endOfCountableDays } from "./count_trends.ts";

export interface TrendsRequest {
  days: number;
  by: TrendKey;
  id?: number | undefined;
}

const HOUR_MS = 60 * 60_000;
const HALF_DAY_MS = 12 * HOUR_MS;
const NOTHING = { sent: 0, failed: 0, unknown: 0 };

/** SQL of a dimension: its rows by day as `t`, its rows by hour as `h`, its key, and the name of a key. */
interface Dimension {
  days: string;
  hours: string;
  key: string;
  named: string;
}

const ACCOUNT_JOIN = "JOIN accounts a ON a.id =";
const DIMENSIONS: Record<TrendKey, Dimension> = {
  site: {
    days: `account_trends t ${ACCOUNT_JOIN} t.account`,
    hours: `account_hours h ${ACCOUNT_JOIN} h.account`,
    key: "a.site",
    named: "SELECT s.id AS id, s.name AS name, '' AS place FROM sites s",
  },
  account: {
    days: `account_trends t ${ACCOUNT_JOIN} t.account`,
    hours: `account_hours h ${ACCOUNT_JOIN} h.account`,
    key: "a.id",
    named: `SELECT n.id AS id, coalesce(nullif(n.label, ''), ${DEVICE_NAME}) AS name, s.name AS place
      FROM accounts n JOIN devices d ON d.id = n.device JOIN sites s ON s.id = n.site`,
  },
  client: {
    days: "client_trends t",
    hours: "client_hours h",
    key: "client",
    named: "SELECT u.id AS id, u.username AS name, '' AS place FROM users u",
  },
};

const COUNTED = `SELECT CAST(value AS INTEGER) AS counted FROM system WHERE key = '${TRENDS_COUNTED}'`;
const SUMS = "sum(t.sent) AS sent, sum(t.failed) AS failed, sum(t.unknown) AS unknown";
const OUTCOMES = { sent: wholeNumber, failed: wholeNumber, unknown: wholeNumber };

/** Returns the whole local days that ended last, and as many before them, by site, account or client. */
export async function readTrends(ctx: EdgeContext, request: TrendsRequest): Promise<Trends> {
  const end = endOfCountableDays(ctx.now());
  const read = await readUntil(ctx, request, end);
  // The days up to the end of the period are counted within a minute of it.
  if (read.counted === null || read.counted * HOUR_MS >= end) return read.trends;
  return (await readUntil(ctx, request, localMidnight(read.counted * HOUR_MS))).trends;
}

async function readUntil(ctx: EdgeContext, { days, by, id }: TrendsRequest, until: number) {
  const { days: daily, hours, key, named } = DIMENSIONS[by];
  const midnights = daysBefore(until, 2 * days);
  const args = {
    first: localDay(midnights[0]!),
    middle: localDay(midnights[days]!),
    last: localDay(midnights.at(-1)!),
    hour: until / HOUR_MS,
    id: id ?? null,
  };
  const isChosen = `(:id IS NULL OR ${key} = :id)`;
  const table = by === "client" ? "client_trends" : "account_trends";
  const found = await readBatch(ctx.db, {
    counted: COUNTED,
    since: `SELECT min(day) AS since FROM ${table}`,
    byDay: statement(
      `SELECT t.day AS day, ${SUMS} FROM ${daily}
        WHERE t.day BETWEEN :first AND :last AND ${isChosen} GROUP BY t.day`,
      args,
    ),
    rows: statement(
      `SELECT r.*, n.name, n.place FROM (
        SELECT ${key} AS key, sum(iif(t.day >= :middle, t.sent, 0)) AS sent,
          sum(iif(t.day >= :middle, t.failed, 0)) AS failed, sum(iif(t.day >= :middle, t.unknown, 0)) AS unknown,
          sum(iif(t.day < :middle, t.sent, 0)) AS "sentBefore", count(*) OVER () AS "all"
        FROM ${daily} WHERE t.day BETWEEN :first AND :last GROUP BY ${key}
        ORDER BY sent DESC, "sentBefore" DESC, key LIMIT ${MOST_TREND_ROWS}) r
      JOIN (${named}) n ON n.id = r.key ORDER BY sent DESC, "sentBefore" DESC, key`,
      args,
    ),
    since24: statement(
      `SELECT coalesce(sum(h.sent), 0) AS sent FROM ${hours} WHERE h.hour >= :hour AND ${isChosen}`,
      args,
    ),
  });
  const [counted] = rowsAs(found.counted, { counted: wholeNumber });
  const [{ since }] = rowsAs(found.since, { since: orNull(wholeNumber) }) as [{ since: number | null }];
  const [{ sent: sentSince }] = rowsAs(found.since24, { sent: wholeNumber }) as [{ sent: number }];
  const byDay = new Map(
    rowsAs(found.byDay, { day: wholeNumber, ...OUTCOMES }).map(({ day, ...outcomes }) => [day, outcomes]),
  );
  const outcomesOf = (at: number) =>
    since === null || localDay(at) < since ? null : byDay.get(localDay(at)) ?? NOTHING;
  const before = midnights.slice(0, days).map(outcomesOf);
  const isCompared = before.every((outcomes) => outcomes !== null);
  const period = midnights.slice(days);
  const rows = rowsAs(found.rows, {
    key: wholeNumber,
    name: plainText,
    place: plainText,
    ...OUTCOMES,
    sentBefore: wholeNumber,
    all: wholeNumber,
  });
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
    items: rows.map(({ key, all: _, sentBefore, ...row }) => ({
      id: key,
      ...row,
      sentBefore: isCompared ? sentBefore : null,
    })),
    more: Math.max(0, (rows[0]?.all ?? 0) - MOST_TREND_ROWS),
  };
  return { counted: counted?.counted ?? null, trends };
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
