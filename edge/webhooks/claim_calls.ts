/** Which calls go next, and whose they are: one statement decides, on whatever edge. */
import { randomHex } from "../keys/random_hex.ts";
import type { WebhookCallType } from "shared/webhook_event.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { webhookCalls } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { IS_ON } from "./plan_calls.ts";

/** A try takes ten seconds at most; a claim outlives it, and ends when its edge died. */
const CLAIM_MS = 30_000;
/** Clocks of edges may differ by this. */
const CLOCKS_APART_MS = 60_000;
/** Calls under way to one endpoint: to one that answers, and to one whose last try failed. */
const ROOM = 4;
const ROOM_FAILING = 1;

export interface ClaimedCall {
  id: number;
  endpoint: number;
  uid: string;
  type: WebhookCallType;
  logIds: string;
  firstAt: number;
  /** With this one. */
  tries: number;
  claim: string;
}

// A claim further ahead than any claim reaches comes from a clock that was set back since.
const IS_BUSY = `(c.claimed_until > :now AND c.claimed_until <= :now + ${CLAIM_MS + CLOCKS_APART_MS})`;
// The oldest waiting call of each lane, by one step in the index for each lane, however many calls wait in it.
const HEADS = `WITH RECURSIVE heads (endpoint, lane, id) AS (
    SELECT * FROM (SELECT endpoint, lane, id FROM webhook_calls WHERE state = 'waiting'
      ORDER BY endpoint, lane, id LIMIT 1)
    UNION ALL
    SELECT c.endpoint, c.lane, c.id FROM heads h JOIN webhook_calls c ON c.id = (
      SELECT n.id FROM webhook_calls n WHERE n.state = 'waiting' AND (n.endpoint, n.lane) > (h.endpoint, h.lane)
      ORDER BY n.endpoint, n.lane, n.id LIMIT 1)
  ), ready AS (
    SELECT c.id, c.next_at, ${IS_BUSY} AS busy, iif(e.failing_since IS NULL, ${ROOM}, ${ROOM_FAILING}) AS room,
      row_number() OVER (PARTITION BY c.endpoint ORDER BY ${IS_BUSY} DESC, c.next_at, c.id) AS place
    FROM heads h JOIN webhook_calls c ON c.id = h.id JOIN webhook_endpoints e ON e.id = c.endpoint
      JOIN users u ON u.id = e.owner
    WHERE ${IS_ON} AND (${IS_BUSY} OR c.next_at <= :now)
  )`;
const IS_NEXT = "busy = 0 AND place <= room";
const ANY = `${HEADS} SELECT 1 FROM ready WHERE ${IS_NEXT} LIMIT 1`;
const CLAIM = `${HEADS} UPDATE webhook_calls SET claimed_until = :now + ${CLAIM_MS}, claim = :claim,
    first_at = coalesce(first_at, :now), tries = tries + 1
  WHERE id IN (SELECT id FROM ready WHERE ${IS_NEXT} ORDER BY next_at, id LIMIT :free)
  RETURNING id, endpoint, uid, type, log_ids, first_at, tries`;

/** Claims up to `free` calls: the oldest of each lane, and of each endpoint no more than its room. */
export async function claimCalls(ctx: EdgeContext, free: number): Promise<ClaimedCall[]> {
  const now = ctx.now();
  // Usually there is none, and this read takes no lock.
  if (free <= 0 || (await ctx.db.execute(statement(ANY, { now }))).rows.length === 0) return [];
  const claim = randomHex(ctx, 12);
  const { id, endpoint, uid, type, logIds, firstAt, tries } = webhookCalls;
  const claimed = await ctx.db.execute(statement(CLAIM, { now, claim, free }));
  return rowsAs(claimed, { id, endpoint, uid, type, logIds, firstAt, tries })
    .map((call) => ({ ...call, firstAt: call.firstAt!, claim }));
}
