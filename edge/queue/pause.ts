import type { z } from "zod";
import type { recallResultSchema } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { type Actor, actorArgs, MAY_ACT, refuseAct } from "./own_campaign.ts";
import { countRecalled } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";
import { AFTER_PAUSE } from "../deliveries/after_pause.ts";

export type RecallResult = z.infer<typeof recallResultSchema>;

// No row = another client's, or not running.
const PAUSE = `UPDATE campaigns SET status = 'paused', paused_by = :pausedBy, updated_at = :now
  WHERE id = :campaign AND ${MAY_ACT} AND status IN ('processing', 'active')`;

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
