import { MOVED_BY } from "shared/delivery.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { CANCEL_REASON, settle } from "../deliveries/settle.ts";
import { type Actor, actorArgs, MAY_ACT, refuseAct } from "./own_campaign.ts";
import type { RecallResult } from "./pause.ts";
import { PROGRESS_IF_CHANGED } from "../events/progress_event.ts";
import { countRecalled, HELD_OF_CAMPAIGN, recallWhere } from "../deliveries/recall.ts";
import { rowsAs } from "../db/query.ts";
import { quotaLedger } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** Origin of a stop, as stored in `paused_by`; queues = an administrator cleared all queues. */
export type StoppedBy = "client" | "admin" | "queues";

const MAY_CANCEL = `id = :campaign AND ${MAY_ACT} AND status IN ('processing', 'active', 'paused')`;
/**
 * Queued rows that nobody ever resent. They are counted and refunded here in one step; a later task writes their
 * state in slices.
 */
const UNDOUBTED = `(queued_count - (SELECT count(*) FROM deliveries d
  WHERE d.campaign = campaigns.id AND d.resent > 0 AND d.state = 'queued'))`;

// Both run before the status changes and in one transaction, so that they see the same figures.
const REFUND = `INSERT INTO quota_ledger (client, at, kind, delta, campaign, actor)
  SELECT client, :now, 'refund', ${UNDOUBTED}, id, :person FROM campaigns WHERE ${MAY_CANCEL} AND ${UNDOUBTED} > 0
  RETURNING delta`;
// No row = another client's campaign, or not running.
const CANCEL = `UPDATE campaigns SET status = 'cancelled', paused_by = :stoppedBy, completed_at = :now,
    cancelled_count = cancelled_count + ${UNDOUBTED}, queued_count = queued_count - ${UNDOUBTED},
    updated_at = :now
  WHERE ${MAY_CANCEL}`;
const IS_CANCELLED = `EXISTS (SELECT 1 FROM campaigns c
  WHERE c.id = :campaign AND c.status = 'cancelled' AND (c.client = :client OR :isAdmin))`;
const SETTLE = `UPDATE deliveries SET ${
  settle({
    state: "'cancelled'",
    by: MOVED_BY.edge,
    reason: `(SELECT ${CANCEL_REASON} FROM campaigns c WHERE c.id = :campaign)`,
  })
}, updated_at = :now WHERE ${IS_CANCELLED}`;
const SETTLE_OFFERED = `${SETTLE} AND ${HELD_OF_CAMPAIGN} AND acked_at IS NULL`;
const SETTLE_RESENT = `${SETTLE} AND campaign = :campaign AND state = 'queued' AND resent > 0`;
const RECALL = recallWhere(`${HELD_OF_CAMPAIGN} AND ${IS_CANCELLED}`);

/**
 * Cancels a running or paused campaign in one small transaction. Queued rows count as cancelled and are refunded at
 * once, however many there are. Rows that a site has acknowledged are recalled, and the site's report settles them.
 *
 * @throws HttpError not_found, campaign_state
 */
export async function cancelCampaign(
  ctx: EdgeContext,
  actor: Actor,
  campaign: number,
): Promise<RecallResult> {
  const result = await cancelBy(ctx, actor, campaign, actor.role);
  return result ?? await refuseAct(ctx, actor, campaign);
}

/** Works as cancelCampaign() does, and records the origin of the stop; returns null when the campaign does not run. */
export async function cancelBy(
  ctx: EdgeContext,
  actor: Actor,
  campaign: number,
  stoppedBy: StoppedBy,
): Promise<RecallResult | null> {
  const args = { now: ctx.now(), campaign, ...actorArgs(actor), stoppedBy };
  const note = {
    kind: "campaign_cancelled" as const,
    actor: actor.person,
    campaign,
    data: { by: stoppedBy },
  };
  const { refunded, cancelled, offered, resent, recalled } = await writeBatch(ctx.db, {
    refunded: statement(REFUND, args),
    cancelled: statement(CANCEL, args),
    audited: rightAfter("cancelled", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    offered: statement(SETTLE_OFFERED, args),
    resent: statement(SETTLE_RESENT, args),
    recalled: statement(RECALL, args),
    progressEvent: statement(PROGRESS_IF_CHANGED, args),
  });
  if (cancelled.rowsAffected === 0) return null;
  ctx.wakeOutbox();
  const counted = rowsAs(refunded, { delta: quotaLedger.delta })[0]?.delta ?? 0;
  return {
    status: "cancelled",
    changed: counted + offered.rowsAffected + resent.rowsAffected,
    recalled: countRecalled(recalled),
  };
}
