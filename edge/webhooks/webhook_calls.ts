/** An endpoint's calls: what became of them, sending some again, and a test. */
import { MAX_AGAIN, TEST_WEBHOOK_TYPE, type WebhookCallType } from "shared/webhook_event.ts";
import type {
  SendAgainRequest,
  SentAgain,
  WebhookCall,
  WebhookCallDetail,
  WebhookCallPage,
} from "shared/webhooks_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, rowsAs } from "../db/query.ts";
import { webhookAttempts, webhookCalls } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import {
  readBatch,
  rightAfter,
  ROWS_OF_STEP_BEFORE,
  STEP_BEFORE_CHANGED,
  writeBatch,
} from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { composeBody } from "./compose_body.ts";
import { webhookParts } from "./make_webhook.ts";
import { findWebhook } from "./read_endpoints.ts";

type Owner = Pick<Caller, "client" | "person">;

/** Tests wait for nothing else, and nothing waits for them. */
const TEST_LANE = -1;

const CALL =
  `SELECT c.id, c.uid, c.type, c.events, c.lane, c.state, c.made_at, c.tries, c.next_at, c.ended_at, c.log_ids,
    a.status, a.reason FROM webhook_calls c
    LEFT JOIN webhook_attempts a ON a.id = (SELECT max(id) FROM webhook_attempts WHERE call = c.id)`;
const PAGE =
  `${CALL} WHERE c.endpoint = :id AND (:state IS NULL OR c.state = :state) AND (:cursor IS NULL OR c.id < :cursor)
  ORDER BY c.id DESC LIMIT :most`;
const ONE = `${CALL} WHERE c.endpoint = :id AND c.id = :call`;
const ATTEMPTS = `SELECT a.at, a.ms, a.status, a.reason FROM webhook_attempts a
  JOIN webhook_calls c ON c.id = a.call AND c.endpoint = :id WHERE a.call = :call ORDER BY a.id DESC LIMIT 100`;

const WAITS = "state = 'waiting', next_at = 0, first_at = NULL, tries = 0, ended_at = NULL";
// One that waits anyhow is tried now.
const AGAIN_ONE = `UPDATE webhook_calls SET ${WAITS} WHERE endpoint = :id AND id = :call`;
const AGAIN_RANGE = `UPDATE webhook_calls SET ${WAITS} WHERE id IN (SELECT id FROM webhook_calls
  WHERE endpoint = :id AND made_at >= :from AND made_at < :to
    AND (state = 'given_up' OR (:isAll AND state = 'arrived')) ORDER BY id LIMIT ${MAX_AGAIN})`;
const TEST_EVENT = `INSERT INTO webhook_log (at, hears, type, lane, only_for)
  SELECT :now, hears, '${TEST_WEBHOOK_TYPE}', ${TEST_LANE}, id FROM webhook_endpoints
  WHERE id = :id AND owner = :owner AND paused_at IS NULL`;
const TEST_CALL = `INSERT INTO webhook_calls (endpoint, uid, lane, type, log_ids, events, made_at)
  SELECT :id, uid, lane, type, json_array(id), 1, :now FROM webhook_log
  WHERE id = last_insert_rowid() AND ${STEP_BEFORE_CHANGED} RETURNING id`;

/** Returns a page of an endpoint's calls, newest first. @throws HttpError not_found */
export async function listCalls(
  ctx: EdgeContext,
  caller: Owner,
  id: number,
  { state = null, cursor = null, limit }: {
    state?: WebhookCall["state"] | null;
    cursor?: number | null;
    limit: number;
  },
): Promise<WebhookCallPage> {
  await findWebhook(ctx, caller, id);
  const found = await ctx.db.execute(statement(PAGE, { id, state, cursor, most: limit + 1 }));
  const calls = readCalls(found);
  return {
    items: calls.slice(0, limit).map(({ logIds: _, ...call }) => call),
    nextCursor: calls.length > limit ? calls[limit - 1]!.id : null,
  };
}

/** Returns one call with its attempts and its body. @throws HttpError not_found */
export async function readCall(
  ctx: EdgeContext,
  caller: Owner,
  id: number,
  call: number,
): Promise<WebhookCallDetail> {
  await findWebhook(ctx, caller, id);
  const { found, attempts } = await readBatch(ctx.db, {
    found: statement(ONE, { id, call }),
    attempts: statement(ATTEMPTS, { id, call }),
  });
  const [row] = readCalls(found);
  if (row === undefined) throw new HttpError("not_found");
  const { logIds, ...shown } = row;
  const { at, ms, status, reason } = webhookAttempts;
  return {
    ...shown,
    attempts: rowsAs(attempts, { at, ms, status, reason }),
    body: await composeBody(ctx, { uid: row.webhookId, type: row.type as WebhookCallType, logIds }),
  };
}

/** Sends one call again, with the same id. @throws HttpError not_found; webhook_paused */
export async function sendCallAgain(
  ctx: EdgeContext,
  caller: Owner,
  id: number,
  call: number,
): Promise<SentAgain> {
  return await sendAgain(ctx, caller, id, { sql: AGAIN_ONE, args: { call } });
}

/** Sends the calls of a range again, up to MAX_AGAIN at once. @throws HttpError not_found; webhook_paused */
export async function sendRangeAgain(
  ctx: EdgeContext,
  caller: Owner,
  id: number,
  { from, to, which }: SendAgainRequest,
): Promise<SentAgain> {
  return await sendAgain(ctx, caller, id, {
    sql: AGAIN_RANGE,
    args: { from, to, isAll: Number(which === "all") },
  });
}

async function sendAgain(
  ctx: EdgeContext,
  caller: Owner,
  id: number,
  { sql, args }: { sql: string; args: Record<string, number> },
): Promise<SentAgain> {
  const { wake } = webhookParts(ctx);
  const { paused } = await findWebhook(ctx, caller, id);
  if (paused !== null) throw new HttpError("webhook_paused");
  const now = ctx.now();
  const dataSql = { sql: `json_object('webhook', ?, 'calls', ${ROWS_OF_STEP_BEFORE})`, args: [id] };
  const note = { kind: "webhook_sent_again", actor: caller.person, user: caller.client, dataSql } as const;
  const { again } = await writeBatch(ctx.db, {
    again: statement(sql, { ...args, id }),
    audited: rightAfter("again", noteAudit(now, note, STEP_BEFORE_CHANGED)),
  });
  if ("call" in args && again.rowsAffected === 0) throw new HttpError("not_found");
  wake();
  return { calls: again.rowsAffected, hasMore: again.rowsAffected === MAX_AGAIN };
}

/** Sends an event that says it is a test; returns the call's id. @throws HttpError not_found; webhook_paused */
export async function testWebhook(ctx: EdgeContext, caller: Owner, id: number): Promise<{ callId: number }> {
  const { wake } = webhookParts(ctx);
  await findWebhook(ctx, caller, id);
  const args = { id, owner: caller.client, now: ctx.now() };
  const record = recordCall({
    status: 202,
    figures: { sql: "json_object('callId', last_insert_rowid())", args: [] },
  });
  const { made } = await writeBatch(ctx.db, {
    event: statement(TEST_EVENT, args),
    made: rightAfter("event", statement(TEST_CALL, args)),
    recorded: record && rightAfter("made", record),
  });
  const [row] = rowsAs(made, { id: webhookCalls.id });
  if (row === undefined) throw new HttpError("webhook_paused");
  wake();
  return { callId: row.id };
}

function readCalls(found: Parameters<typeof rowsAs>[0]): (WebhookCall & { logIds: string })[] {
  const { id, uid, type, events, lane, state, madeAt, tries, nextAt, endedAt, logIds } = webhookCalls;
  const { status, reason } = webhookAttempts;
  const rows = rowsAs(found, {
    ...{ id, uid, type, events, lane, state, madeAt, tries, nextAt, endedAt, logIds },
    ...{ status: orNull(status), reason: orNull(reason) },
  });
  return rows.map(({ uid, lane, nextAt, status, reason, ...row }) => ({
    ...row,
    webhookId: uid,
    campaignId: /^(campaign|message|reply)\./.test(row.type) && lane > 0 ? lane : null,
    nextAt: row.state === "waiting" ? nextAt : null,
    lastStatus: status,
    lastReason: reason,
  }));
}
