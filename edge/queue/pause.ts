import type { z } from "zod";
import type { recallResultSchema } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { type Actor, actorArgs, MAY_ACT, refuseAct } from "./own_campaign.ts";
import { countRecalled } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";
import { afterPause } from "../deliveries/after_pause.ts";

export type RecallResult = z.infer<typeof recallResultSchema>;

// No row = another client's campaign, or not running.
const PAUSE = `UPDATE campaigns SET status = 'paused', paused_by = :pausedBy, updated_at = :now
  WHERE id = :campaign AND ${MAY_ACT} AND status IN ('processing', 'active')`;

/**
 * Pauses a running campaign. Rows that were only offered are queued again at once. Rows that a site has acknowledged
 * are recalled, and the site's report settles them.
 *
 * @throws HttpError not_found, campaign_state
 */
export async function pauseCampaign(ctx: EdgeContext, actor: Actor, campaign: number): Promise<RecallResult> {
  const args = { now: ctx.now(), campaign, ...actorArgs(actor), pausedBy: actor.role };
  const note = { kind: "campaign_paused" as const, actor: actor.person, campaign };
  const { paused, offeredBack, recalled } = await writeBatch(ctx.db, {
    paused: statement(PAUSE, args),
    audited: rightAfter("paused", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    ...afterPause(args),
  });
  if (paused.rowsAffected === 0) return await refuseAct(ctx, actor, campaign);
  ctx.wakeOutbox();
  return { status: "paused", changed: offeredBack.rowsAffected, recalled: countRecalled(recalled) };
}
