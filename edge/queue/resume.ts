import { type CampaignStatus } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { type Actor, actorArgs, MAY_ACT, refuseAct } from "./own_campaign.ts";
import type { RecallResult } from "./pause.ts";
import { statement } from "./statement.ts";
import { WORK_WAITING } from "./work_waiting.ts";

// No row = another client's, or not paused.
const RESUME = `UPDATE campaigns SET paused_by = NULL, updated_at = :now,
    status = CASE WHEN first_acked_at IS NULL THEN 'processing' ELSE 'active' END
  WHERE id = :campaign AND ${MAY_ACT} AND status = 'paused' RETURNING status`;

/** Lets a paused campaign go on where it was. @throws HttpError not_found, campaign_state */
export async function resumeCampaign(
  ctx: EdgeContext,
  actor: Actor,
  campaign: number,
): Promise<RecallResult> {
  const args = { now: ctx.now(), campaign, ...actorArgs(actor) };
  const [resumed] = await ctx.db.batch(
    [RESUME, `${WORK_WAITING} WHERE changes() = 1`].map((sql) => statement(sql, args)),
    "write",
  );
  if (resumed.rows.length === 0) return await refuseAct(ctx, actor, campaign);
  ctx.wakeOutbox();
  return { status: resumed.rows[0].status as CampaignStatus, changed: 0, recalled: 0 };
}
