import type { EdgeContext } from "../context.ts";
import { statement } from "../queue/statement.ts";
import { WORK_WAITING } from "../queue/work_waiting.ts";
import { BANS_THAT_TRIP, type BreakerLimits, type Trip, trippedBy } from "./breaker.ts";
import { markCampaigns, readWindows, type RunningCampaign } from "./campaign_window.ts";
import { tripCampaign } from "./trip_campaign.ts";

// What of the wave was put off for a while goes with the rest, so that one bad number holds up nobody for long.
const WAVE_OVER = `UPDATE campaigns SET pilot_until = :now + pilot_wait_ms, updated_at = :now
  WHERE status IN ('processing', 'active') AND pilot_last IS NOT NULL AND pilot_until IS NULL
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.campaign = campaigns.id AND d.state = 'queued'
      AND d.not_before = 0 AND d.id <= campaigns.pilot_last)
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.campaign = campaigns.id AND d.state = 'leased'
      AND d.state <> 'queued' AND d.id <= campaigns.pilot_last)`;
const LET_GO = `UPDATE campaigns SET pilot_last = NULL, pilot_until = NULL, updated_at = :now
  WHERE id = :campaign AND pilot_until <= :now AND status IN ('processing', 'active')`;

/** Pauses the campaigns among these whose last outcomes, or whose bans, are too many. A site's bad news calls it. */
export async function checkCampaigns(ctx: EdgeContext, campaigns: readonly number[] | null): Promise<void> {
  const { running, limits } = await readWindows(ctx, campaigns);
  for (const campaign of running) {
    const why = whyStop(campaign, limits);
    if (why !== null) await tripCampaign(ctx, campaign, why);
    else if (campaign.isPilotDue) await letGo(ctx, campaign.id);
  }
}

/** As checkCampaigns(), of all; besides it marks where each stands, and moves pilot waves on. */
export async function watchCampaigns(ctx: EdgeContext): Promise<void> {
  const { rowsAffected } = await ctx.db.execute(statement(WAVE_OVER, { now: ctx.now() }));
  if (rowsAffected > 0) ctx.wakeOutbox();
  await checkCampaigns(ctx, null);
  await markCampaigns(ctx);
}

function whyStop({ window, all, bans, isPilotDue }: RunningCampaign, limits: BreakerLimits): Trip | null {
  if (bans >= BANS_THAT_TRIP) return { signal: "bans", count: bans, sample: bans };
  // A pilot wave is small on purpose: any share over the limit keeps the rest back.
  return trippedBy(window, limits) ?? (isPilotDue ? trippedBy(all, limits, 1) : null);
}

async function letGo(ctx: EdgeContext, campaign: number): Promise<void> {
  const args = { now: ctx.now(), campaign };
  await ctx.db.batch(
    [LET_GO, `${WORK_WAITING} WHERE changes() = 1`].map((sql) => statement(sql, args)),
    "write",
  );
  ctx.wakeOutbox();
}
