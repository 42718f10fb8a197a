/** Puts events into calls: from then on a call's content, order and id are fixed. */
import {
  BATCH_WEBHOOK_TYPE,
  MAX_BATCH_EVENTS,
  TEST_WEBHOOK_TYPE,
  type WebhookType,
} from "shared/webhook_event.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { webhookEndpoints, webhookLog } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";

/** Rows of the log that one batch puts into calls. */
const MOST_ROWS = 1_000;
/** Endpoints in one run; the others wait for the next. */
const MOST_ENDPOINTS_AT_ONCE = 50;
/** With this many waiting calls, or failing, an endpoint gets its next ones once a minute: larger, so fewer. */
const ENOUGH_CALLS = 16;
const SELDOM_MS = 60_000;

/** Endpoints that may be sent to. Needs the tables e = webhook_endpoints and u = users. */
export const IS_ON = "e.paused_at IS NULL AND u.disabled = 0";
const DUE = `SELECT e.id, e.hears, e.types, e.cursor FROM webhook_endpoints e JOIN users u ON u.id = e.owner
  WHERE ${IS_ON} AND EXISTS (SELECT 1 FROM webhook_log l WHERE l.hears = e.hears AND l.id > e.cursor)
    AND (e.planned_at <= :now - ${SELDOM_MS} OR (e.failing_since IS NULL AND (SELECT count(*) FROM (
      SELECT 1 FROM webhook_calls c WHERE c.endpoint = e.id AND c.state = 'waiting' LIMIT ${ENOUGH_CALLS}))
      < ${ENOUGH_CALLS}))
  ORDER BY e.planned_at LIMIT ${MOST_ENDPOINTS_AT_ONCE}`;
const ROWS = `SELECT id, uid, type, lane, only_for FROM webhook_log WHERE hears = :hears AND id > :cursor
  ORDER BY id LIMIT ${MOST_ROWS}`;
// No row = another edge did it, or the endpoint was paused or removed.
const ADVANCE = `UPDATE webhook_endpoints SET cursor = :last, planned_at = :now
  WHERE id = :id AND cursor = :cursor AND paused_at IS NULL`;
const MAKE = `INSERT INTO webhook_calls (endpoint, uid, lane, type, log_ids, events, made_at)
  SELECT :id, value ->> 'uid', value ->> 'lane', value ->> 'type', value ->> 'logIds',
    json_array_length(value ->> 'logIds'), :now FROM json_each(:calls) WHERE ${STEP_BEFORE_CHANGED}`;

interface LogRow {
  id: number;
  uid: string;
  type: WebhookType;
  lane: number;
  onlyFor: number | null;
}

/** A call that was not made yet. */
interface PlannedCall {
  uid: string;
  lane: number;
  type: string;
  logIds: number[];
}

/** Puts the next events of each endpoint into calls; returns the number of rows that it looked at. */
export async function planCalls(ctx: EdgeContext): Promise<number> {
  const { id, hears, types, cursor } = webhookEndpoints;
  const due = rowsAs(await ctx.db.execute(statement(DUE, { now: ctx.now() })), { id, hears, types, cursor });
  let looked = 0;
  for (const endpoint of due) looked += await planFor(ctx, endpoint);
  return looked;
}

async function planFor(
  ctx: EdgeContext,
  { id, hears, types, cursor }: { id: number; hears: number; types: string; cursor: number },
): Promise<number> {
  const { uid, type, lane, onlyFor } = webhookLog;
  const found = await ctx.db.execute(statement(ROWS, { hears, cursor }));
  const rows = rowsAs(found, { id: webhookLog.id, uid, type, lane, onlyFor });
  if (rows.length === 0) return 0;
  const wanted = new Set(types.split(" "));
  const calls = groupEvents(
    rows.filter((row) =>
      (row.onlyFor ?? id) === id && wanted.has(row.type) && row.type !== TEST_WEBHOOK_TYPE
    ),
  );
  const args = { id, cursor, last: rows.at(-1)!.id, now: ctx.now(), calls: JSON.stringify(calls) };
  await writeBatch(ctx.db, {
    advanced: statement(ADVANCE, args),
    made: rightAfter("advanced", statement(MAKE, args)),
  });
  return rows.length;
}

/** Returns the calls for events in their order: messages of one campaign together, until another event of it comes. */
export function groupEvents(rows: readonly LogRow[]): PlannedCall[] {
  const calls: PlannedCall[] = [];
  const open = new Map<number, PlannedCall>();
  for (const { id, uid, type, lane } of rows) {
    const isMessage = type.startsWith("message.");
    const last = isMessage ? open.get(lane) : undefined;
    if (last && last.logIds.length < MAX_BATCH_EVENTS) {
      last.logIds.push(id);
      continue;
    }
    const call = { uid, lane, type: isMessage ? BATCH_WEBHOOK_TYPE : type, logIds: [id] };
    calls.push(call);
    if (isMessage) open.set(lane, call);
    else open.delete(lane);
  }
  return calls;
}
