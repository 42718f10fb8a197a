/** One try of a claimed call, and what follows from its end. */
import { WEBHOOK_TRIED_DAYS, type WebhookPause } from "shared/webhook_event.ts";
import type { EdgeContext, PostEnd, WebhookParts } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { webhookEndpoints } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import type { ClaimedCall } from "./claim_calls.ts";
import { composeBody } from "./compose_body.ts";
import { openSecret } from "./secrets.ts";
import { signedHeaders } from "./sign.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** The wait after each failed try; the last one repeats. */
const WAITS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 120 * SECOND_MS, 600 * SECOND_MS, 1_800 * SECOND_MS]
  .concat([1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS));
/** The longest wait, with what chance adds. */
export const LONGEST_WAIT_MS = 14 * HOUR_MS;
export const TRIED_MS = WEBHOOK_TRIED_DAYS * 24 * HOUR_MS;
/** The receiver says that it is gone for good (Standard Webhooks 1.0.0). */
const GONE = 410;

const ENDPOINT =
  "SELECT owner, url, secret, secret_before, secret_before_until FROM webhook_endpoints WHERE id = :id";
const NOTE =
  `INSERT INTO webhook_attempts (call, at, ms, status, reason) VALUES (:call, :at, :ms, :status, :reason)`;
// It arrived, also if another edge has claimed it since.
const ARRIVED = `UPDATE webhook_calls SET state = 'arrived', ended_at = :now, claimed_until = 0, claim = NULL
  WHERE id = :call AND state <> 'arrived'`;
const ANSWERS = "UPDATE webhook_endpoints SET failing_since = NULL, arrived_at = :now WHERE id = :endpoint";
const AGAIN = `UPDATE webhook_calls SET next_at = :nextAt, claimed_until = 0, claim = NULL
  WHERE id = :call AND claim = :claim AND state = 'waiting'`;
const GIVE_UP = `UPDATE webhook_calls SET state = 'given_up', ended_at = :now, claimed_until = 0, claim = NULL
  WHERE id = :call AND claim = :claim AND state = 'waiting'`;
const FAILS =
  "UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, :now) WHERE id = :endpoint";
const PAUSE = `UPDATE webhook_endpoints SET paused_at = :now, paused_why = :why
  WHERE id = :endpoint AND paused_at IS NULL AND (:why = 'gone' OR coalesce(arrived_at, 0) < :firstAt)`;
// Both tell: the owner's screens, and administrators in the activity list.
const TELL = `INSERT INTO events (at, type, client, for_admins, data)
  SELECT :now, 'webhooks_changed', nullif(hears, 0), hears = 0, '{}' FROM webhook_endpoints
  WHERE id = :endpoint AND ${STEP_BEFORE_CHANGED}`;
const ACTIVITY = `INSERT INTO activity (at, kind, code, data, user)
  SELECT :now, 'warning', 'webhook_paused', json_object('client', u.username, 'why', :why), u.id
  FROM webhook_endpoints e JOIN users u ON u.id = e.owner WHERE e.id = :endpoint AND ${STEP_BEFORE_CHANGED}`;

/** Sends a claimed call once and records how it ended; returns whether it arrived. */
export async function tryCall(ctx: EdgeContext, parts: WebhookParts, call: ClaimedCall): Promise<boolean> {
  const at = ctx.now();
  const end = await attempt(ctx, parts, call, at);
  if (end === null) return false;
  await recordEnd(ctx, call, at, end);
  return end.reason === null;
}

/** Returns null when the endpoint is gone. */
async function attempt(
  ctx: EdgeContext,
  { keys, post }: WebhookParts,
  call: ClaimedCall,
  at: number,
): Promise<PostEnd | null> {
  const { owner, url, secret, secretBefore, secretBeforeUntil } = webhookEndpoints;
  const found = await ctx.db.execute(statement(ENDPOINT, { id: call.endpoint }));
  const [endpoint] = rowsAs(found, { owner, url, secret, secretBefore, secretBeforeUntil });
  if (endpoint === undefined) return null;
  const body = await composeBody(ctx, call);
  // Its events are older than what is kept.
  if (body === null) return { status: null, reason: null };
  const both = [endpoint.secret, (endpoint.secretBeforeUntil ?? 0) > at ? endpoint.secretBefore : null];
  let secrets: Uint8Array[];
  try {
    secrets = await Promise.all(
      both.filter((text) => text !== null).map((text) => openSecret(keys, endpoint.owner, text)),
    );
  } catch {
    return { status: null, reason: "secret" };
  }
  const headers = {
    "content-type": "application/json",
    "user-agent": "shigur",
    ...signedHeaders({ id: call.uid, at, body }, secrets),
  };
  return await post(endpoint.url, headers, body);
}

async function recordEnd(ctx: EdgeContext, call: ClaimedCall, at: number, end: PostEnd): Promise<void> {
  const now = ctx.now();
  const why: WebhookPause = end.status === GONE ? "gone" : "failed";
  const isOver = now - call.firstAt >= TRIED_MS;
  const args = {
    ...end,
    at,
    now,
    why,
    ms: Math.max(0, now - at),
    call: call.id,
    claim: call.claim,
    endpoint: call.endpoint,
    firstAt: call.firstAt,
    nextAt: now + waitAfter(ctx, call.tries),
  };
  if (end.reason === null) {
    await writeBatch(ctx.db, {
      noted: statement(NOTE, args),
      arrived: statement(ARRIVED, args),
      answers: statement(ANSWERS, args),
    });
    return;
  }
  const pauses = isOver || why === "gone";
  const { paused } = await writeBatch(ctx.db, {
    noted: statement(NOTE, args),
    ended: statement(isOver ? GIVE_UP : AGAIN, args),
    fails: statement(FAILS, args),
    paused: pauses ? statement(PAUSE, args) : undefined,
    event: pauses ? rightAfter("paused", statement(TELL, args)) : undefined,
    activity: pauses ? rightAfter("event", statement(ACTIVITY, args)) : undefined,
  });
  ctx.log.info("webhook_undelivered", {
    endpoint: call.endpoint,
    call: call.id,
    tries: call.tries,
    reason: end.reason,
    status: end.status,
  });
  if (paused?.rowsAffected === 1) {
    ctx.log.warn("webhook_paused", { endpoint: call.endpoint, reason: why });
    ctx.wakeOutbox();
  }
}

/** Up to a tenth more by chance: calls that failed together are not tried together for ever. */
function waitAfter({ randomBytes }: Pick<EdgeContext, "randomBytes">, tries: number): number {
  const wait = WAITS_MS[Math.min(tries, WAITS_MS.length) - 1]!;
  return wait + Math.floor(wait * (randomBytes(1)[0]! / 2_560));
}
