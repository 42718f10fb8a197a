import type { ErrorCode } from "shared/error_code.ts";
import type { OneSeries, RunState, Series } from "shared/series_api.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, orNull, rowsAs, wholeNumber, wordOf } from "../db/query.ts";
import { campaigns, seriesRuns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { errorSentence } from "../text/error_text.ts";
import { SERIES_COLUMNS, SERIES_FIELDS, type SeriesRow } from "./series_row.ts";

const MOST_RUNS = 100;
const OWN = `FROM series s WHERE s.client = :user`;
const LISTS = `(SELECT json_group_array(json_object('id', l.id, 'name', l.name)) FROM lists l
  WHERE l.client = s.client AND l.id IN (SELECT value FROM json_each(s.choice, '$.lists'))) AS lists`;
const ALL = `SELECT ${SERIES_COLUMNS}, ${LISTS} ${OWN} ORDER BY s.ended_at IS NOT NULL, s.id DESC LIMIT 200`;
const ONE = `SELECT ${SERIES_COLUMNS}, ${LISTS} ${OWN} AND s.id = :series`;
const RUNS = `SELECT r.day, r.run_at, r.state, r.error, c.id, c.name, c.status,
    c.queued_count + c.leased_count + c.sent_count + c.failed_count + c.unknown_count + c.skipped_count
      + c.cancelled_count AS total, c.sent_count AS sent
  FROM series_runs r JOIN series s ON s.id = r.series LEFT JOIN campaigns c ON c.id = r.campaign
  WHERE r.series = :series AND s.client = :user ORDER BY r.day DESC LIMIT ${MOST_RUNS}`;

const FIELDS = { ...SERIES_FIELDS, lists: jsonOf<Series["lists"]>() };
const RUN_FIELDS = {
  day: seriesRuns.day,
  runAt: seriesRuns.runAt,
  state: wordOf<RunState>(),
  error: seriesRuns.error,
  id: orNull(campaigns.id),
  name: orNull(campaigns.name),
  status: orNull(campaigns.status),
  total: orNull(wholeNumber),
  sent: orNull(wholeNumber),
};

/** Returns the client's repeats: those that go on first, the newest first. */
export async function listSeries(ctx: EdgeContext, user: { id: number }): Promise<Series[]> {
  return rowsAs(await ctx.db.execute(statement(ALL, { user: user.id })), FIELDS).map(viewSeries);
}

/** Returns a repeat's row for its client. @throws {HttpError} `not_found` when there is none, or it is another's */
export async function readOwnSeries(
  ctx: EdgeContext,
  user: { id: number },
  series: number,
): Promise<SeriesRow> {
  const [row] = rowsAs(await ctx.db.execute(statement(ONE, { user: user.id, series })), FIELDS);
  if (row === undefined) throw new HttpError("not_found");
  return row;
}

/** Returns a repeat with its last runs. @throws {HttpError} `not_found` when there is none, or it is another's */
export async function showSeries(ctx: EdgeContext, user: { id: number }, series: number): Promise<OneSeries> {
  const args = { user: user.id, series };
  const found = await readBatch(ctx.db, { one: statement(ONE, args), runs: statement(RUNS, args) });
  const [row] = rowsAs(found.one, FIELDS);
  if (row === undefined) throw new HttpError("not_found");
  const runs = rowsAs(found.runs, RUN_FIELDS).map((
    { day, runAt, state, error, id, name, status, total, sent },
  ) => ({
    day,
    at: runAt,
    state,
    reason: error === null ? null : errorSentence(error as ErrorCode),
    campaign: id === null ? null : { id, name: name!, status: status!, total: total!, sent: sent! },
  }));
  return { ...viewSeries(row), runs };
}

function viewSeries(
  row: SeriesRow & { lists: Series["lists"] | null },
): Series {
  const {
    id,
    name,
    message,
    kind,
    dayLimit,
    lists,
    rule,
    minutes,
    lastDay,
    nextAt,
    hold,
    endedAt,
    createdAt,
  } = row;
  return {
    id,
    name,
    message,
    kind,
    dayLimit,
    lists: lists ?? [],
    rule: rule!,
    minutes,
    lastDay,
    nextAt: endedAt === null && hold === null ? nextAt : null,
    hold,
    endedAt,
    createdAt,
  };
}
