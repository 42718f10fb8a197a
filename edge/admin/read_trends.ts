import type { TrendKey } from "shared/trend_keys.ts";
import { MOST_TREND_ROWS, type Trends } from "shared/trends.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, plainText, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { readBatch, type Results } from "../db/write_batch.ts";
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

/**
 * SQL of a dimension: its rows of the days of the list :days with `part` from :from to before :until as `t`, its rows
 * by hour as `h`, its key, and the name of a key.
 */
interface Dimension {
  days: string;
  hours: string;
  key: string;
  /** The table of the parts: as many rows as a day can have. */
  all: string;
  named: string;
}

// CROSS: one search for each day, because the tables are in order of day and part.
const dailyOf = (table: string, part: string) =>
  `json_each(:days) d CROSS JOIN ${table} t ON t.day = d.value AND t.${part} >= :from AND t.${part} < :until`;
const ACCOUNT_JOIN = "JOIN accounts a ON a.id =";
const ACCOUNT_DAYS = `${dailyOf("account_trends", "account")} CROSS ${ACCOUNT_JOIN} t.account`;
const DIMENSIONS: Record<TrendKey, Dimension> = {
  site: {
    days: ACCOUNT_DAYS,
    hours: `account_hours h ${ACCOUNT_JOIN} h.account`,
    key: "a.site",
    all: "accounts",
    named: "SELECT s.id AS id, s.name AS name, '' AS place, '' AS account FROM sites s",
  },
  account: {
    days: ACCOUNT_DAYS,
    hours: `account_hours h ${ACCOUNT_JOIN} h.account`,
    key: "a.id",
    all: "accounts",
    named: `SELECT n.id AS id, coalesce(nullif(n.label, ''), ${DEVICE_NAME}) AS name, s.name AS place,
        substr(n.key, instr(n.key, '/') + 1) AS account
      FROM accounts n JOIN devices d ON d.id = n.device JOIN sites s ON s.id = n.site`,
  },
  client: {
    days: dailyOf("client_trends", "client"),
    hours: "client_hours h",
    key: "client",
    all: "users",
    named: "SELECT u.id AS id, u.username AS name, '' AS place, '' AS account FROM users u",
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
  // So few have at most SLICE_ROWS rows in all the days: they are read at once, in one round trip.
  const few = Math.floor(SLICE_ROWS / midnights.length);
  const found = await readBatch(ctx.db, {
    counted: COUNTED,
    since: `SELECT min(day) AS since FROM ${by === "client" ? "client_trends" : "account_trends"}`,
    keys: `SELECT count(*) AS keys FROM ${all}`,
    since24: statement(
      `SELECT coalesce(sum(h.sent), 0) AS sent FROM ${hours}
        WHERE h.hour >= :hour AND (:id IS NULL OR ${key} = :id)`,
      { hour: until / HOUR_MS, id: id ?? null },
    ),
    ...sumSteps(request, midnights, EVERYTHING, few),
    names: statement(`${namesOf(by)} WHERE (SELECT count(*) FROM ${all}) <= :few`, { few }),
  });
  const [counted] = rowsAs(found.counted, { counted: wholeNumber });
  const [{ since }] = rowsAs(found.since, { since: orNull(wholeNumber) }) as [{ since: number | null }];
  const [{ keys }] = rowsAs(found.keys, { keys: wholeNumber }) as [{ keys: number }];
  const [{ sent: sentSince }] = rowsAs(found.since24, { sent: wholeNumber }) as [{ sent: number }];
  const sums = keys <= few ? addSums(noSums(), found) : await sumInSlices(ctx, request, midnights, few, left);
  const outcomesOf = (at: number) =>
    since === null || localDay(at) < since ? null : sums.byDay.get(localDay(at)) ?? NOTHING;
  const before = midnights.slice(0, days).map(outcomesOf);
  const isCompared = before.every((outcomes) => outcomes !== null);
  const period = midnights.slice(days);
  const largest = [...sums.byKey.values()].sort((a, b) =>
    b.sent - a.sent || b.sentBefore - a.sentBefore || a.key - b.key
  ).slice(0, MOST_TREND_ROWS);
  const named = keys <= few ? found.names : await ctx.db.execute(statement(
    `${namesOf(by)} WHERE n.id IN (SELECT value FROM json_each(:keys))`,
    { keys: JSON.stringify(largest.map((row) => row.key)) },
  ));
  const names = new Map(rowsAs(named, NAME_FIELDS).map((row) => [row.id, row]));
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
      const name = names.get(key);
      return name ? [{ ...name, ...outcomes, sentBefore: isCompared ? sentBefore : null }] : [];
    }),
    more: Math.max(0, sums.byKey.size - MOST_TREND_ROWS),
  };
  return { counted: counted?.counted ?? null, trends };
}

const NAME_FIELDS = { id: wholeNumber, name: plainText, place: plainText, account: plainText };
const namesOf = (by: TrendKey) => `SELECT n.* FROM (${DIMENSIONS[by].named}) n`;

interface Sums {
  /** Of the chosen key, or of all. */
  byDay: Map<number, typeof NOTHING>;
  /** Of the period; `sentBefore` of the days before it. */
  byKey: Map<number, RowAs<typeof KEY_FIELDS>>;
}

const KEY_FIELDS = { key: wholeNumber, ...OUTCOMES, sentBefore: wholeNumber };
const noSums = (): Sums => ({ byDay: new Map(), byKey: new Map() });

/** Ids of accounts or clients. */
interface IdRange {
  from: number;
  until: number;
}
const EVERYTHING: IdRange = { from: 0, until: Number.MAX_SAFE_INTEGER };

/** Returns the statements that sum the rows of a range, if there are at most `few` accounts or clients. */
function sumSteps(
  { days, by, id }: TrendsRequest,
  midnights: readonly number[],
  range: IdRange,
  few: number,
) {
  const { days: daily, key, all } = DIMENSIONS[by];
  const ofDays = `FROM ${daily} WHERE (SELECT count(*) FROM ${all}) <= :few`;
  const args = {
    ...range,
    days: JSON.stringify(midnights.map(localDay)),
    middle: localDay(midnights[days]!),
    id: id ?? null,
    few,
  };
  return {
    byDay: statement(
      `SELECT t.day AS day, ${SUMS} ${ofDays} AND (:id IS NULL OR ${key} = :id) GROUP BY t.day`,
      args,
    ),
    byKey: statement(
      `SELECT ${key} AS key, sum(iif(t.day >= :middle, t.sent, 0)) AS sent,
        sum(iif(t.day >= :middle, t.failed, 0)) AS failed, sum(iif(t.day >= :middle, t.unknown, 0)) AS unknown,
        sum(iif(t.day < :middle, t.sent, 0)) AS "sentBefore" ${ofDays} GROUP BY ${key}`,
      args,
    ),
  };
}

/** Adds what sumSteps() found to `sums`, and returns them. */
function addSums(sums: Sums, found: Results<ReturnType<typeof sumSteps>>): Sums {
  for (const { day, ...outcomes } of rowsAs(found.byDay, { day: wholeNumber, ...OUTCOMES })) {
    const known = sums.byDay.get(day);
    sums.byDay.set(day, known === undefined ? outcomes : sumOf([known, outcomes]));
  }
  for (const row of rowsAs(found.byKey, KEY_FIELDS)) {
    const known = sums.byKey.get(row.key);
    if (known === undefined) {
      sums.byKey.set(row.key, row);
      continue;
    }
    known.sent += row.sent;
    known.failed += row.failed;
    known.unknown += row.unknown;
    known.sentBefore += row.sentBefore;
  }
  return sums;
}

/** Sums `few` accounts or clients at a time. By days instead, each would be a row of every slice. */
async function sumInSlices(
  ctx: EdgeContext,
  request: TrendsRequest,
  midnights: readonly number[],
  few: number,
  left?: AbortSignal,
): Promise<Sums> {
  const begins = rowsAs(
    await ctx.db.execute(statement(
      `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS no FROM ${DIMENSIONS[request.by].all})
        WHERE no % :few = 1 OR :few = 1 ORDER BY id`,
      { few },
    )),
    { id: wholeNumber },
  ).map(({ id }) => id);
  const sums = noSums();
  for (const [index, from] of begins.entries()) {
    await turnForRead();
    endIfCallerLeft(left);
    const range = { from, until: begins[index + 1] ?? EVERYTHING.until };
    addSums(sums, await readBatch(ctx.db, sumSteps(request, midnights, range, EVERYTHING.until)));
  }
  return sums;
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
