import type { z } from "zod";
import { MOVED_BY } from "shared/delivery.ts";
import type { recallResultSchema } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { land } from "../deliveries/land.ts";
import { type Actor, actorArgs, MAY_ACT, refuseAct } from "./own_campaign.ts";
import { PROGRESS_IF_CHANGED } from "../events/progress_event.ts";
import { countRecalled, HELD_OF_CAMPAIGN, recallWhere } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";

export type RecallResult = z.infer<typeof recallResultSchema>;

// No row = another client's, or not running.
const PAUSE = `UPDATE campaigns SET status = 'paused', paused_by = :pausedBy, updated_at = :now
  WHERE id = :campaign AND ${MAY_ACT} AND status IN ('processing', 'active')`;
// Asked of whoever acts: a stranger's pause of a paused campaign is refused, and may not recall anything again.
const IS_PAUSED = `EXISTS (SELECT 1 FROM campaigns c
  WHERE c.id = :campaign AND c.status = 'paused' AND (c.client = :user OR :isAdmin))`;
const OFFERED_BACK = `UPDATE deliveries SET
    ${land({ state: "'queued'", by: MOVED_BY.edge, reason: "'campaign_paused'" })}, updated_at = :now
  WHERE ${HELD_OF_CAMPAIGN} AND acked_at IS NULL AND ${IS_PAUSED}`;
const RECALL = recallWhere(`${HELD_OF_CAMPAIGN} AND ${IS_PAUSED}`);
/** What follows once a campaign is paused, whoever paused it, in order. Needs :campaign, :now, :user, :isAdmin. */
export const AFTER_PAUSE: readonly string[] = [OFFERED_BACK, RECALL, PROGRESS_IF_CHANGED];

/**
 * Pauses a running campaign: what was only offered is queued again at once, what a site has acknowledged is
 * recalled and lands by its word.
 *
 * @throws HttpError not_found, campaign_state
 */
export async function pauseCampaign(ctx: EdgeContext, actor: Actor, campaign: number): Promise<RecallResult> {
  const args = { now: ctx.now(), campaign, ...actorArgs(actor), pausedBy: actor.role };
  const [paused, , back, recalled] = await ctx.db.batch([
    statement(PAUSE, args),
    noteAudit(args.now, { kind: "campaign_paused", actor: actor.id, campaign }, "changes() = 1"),
    ...AFTER_PAUSE.map((sql) => statement(sql, args)),
  ], "write");
  if (paused.rowsAffected === 0) return await refuseAct(ctx, actor, campaign);
  ctx.wakeOutbox();
  return { status: "paused", changed: back.rowsAffected, recalled: countRecalled(recalled.rows) };
}
