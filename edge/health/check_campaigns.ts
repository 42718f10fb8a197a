import type { EdgeContext } from "../context.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import {
  BANS_THAT_TRIP,
  type BreakerLimits,
  judgeBySite,
  type Judgement,
  LEAST_SAMPLE,
  type OutcomeWindow,
  trippedBy,
  without,
} from "./breaker.ts";
import { markCampaigns, readWindows, type RunningCampaign } from "./campaign_window.ts";
import { restUnconfirmed } from "./rest_unconfirmed.ts";
import { tripCampaign } from "./trip_campaign.ts";
import { readUnconfirmedWords } from "./unconfirmed_words.ts";

// Postponed deliveries of the wave go with the rest, so that one bad number delays nothing for long.
const WAVE_OVER = `UPDATE campaigns SET pilot_until = :now + pilot_wait_ms, updated_at = :now
  WHERE status IN ('processing', 'active') AND pilot_last IS NOT NULL AND pilot_until IS NULL
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.campaign = campaigns.id AND d.state = 'queued'
      AND d.not_before = 0 AND d.id <= campaigns.pilot_last)
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.campaign = campaigns.id AND d.state = 'leased'
      AND d.state <> 'queued' AND d.id <= campaigns.pilot_last)`;
const LET_GO = `UPDATE campaigns SET pilot_last = NULL, pilot_until = NULL, updated_at = :now
  WHERE id = :campaign AND pilot_until <= :now AND status IN ('processing', 'active')
    -- Of several texts a person chooses one first (edge/queue/choose_text.ts).
    AND variant_count IS NULL`;

/**
 * Pauses those of `campaigns` (null = all running ones) with too many bad outcomes or bans. If only one site's
 * unconfirmed accounts report them, those accounts rest instead. Called after a site's bad news.
 */
export async function checkCampaigns(ctx: EdgeContext, campaigns: readonly number[] | null): Promise<void> {
  const { running, limits } = await readWindows(ctx, campaigns);
  for (const campaign of running) {
    const { trip, doubted } = await judge(ctx, campaign, limits);
    for (const { site, why } of doubted) await restUnconfirmed(ctx, site, why);
    if (trip !== null) await tripCampaign(ctx, campaign, trip);
    else if (campaign.isPilotDue) await letGo(ctx, campaign.id);
  }
}

/** Checks all campaigns as checkCampaigns() does, records their counters, and ends pilot waves. */
export async function watchCampaigns(ctx: EdgeContext): Promise<void> {
  const { rowsAffected } = await ctx.db.execute(statement(WAVE_OVER, { now: ctx.now() }));
  if (rowsAffected > 0) ctx.wakeOutbox();
  await checkCampaigns(ctx, null);
  await markCampaigns(ctx);
}

const FINE: Judgement = { trip: null, doubted: [] };

async function judge(ctx: EdgeContext, campaign: RunningCampaign, limits: BreakerLimits): Promise<Judgement> {
  const { id, window, since, all, bans, isPilotDue } = campaign;
  if (bans >= BANS_THAT_TRIP) return { ...FINE, trip: { signal: "bans", count: bans, sample: bans } };
  const lately = await judgeWindow(ctx, { id, window, since, least: LEAST_SAMPLE }, limits);
  if (lately.trip !== null || !isPilotDue) return lately;
  // A pilot wave is small on purpose: any share over the limit stops the rest.
  const wave = await judgeWindow(ctx, { id, window: all, since: 0, least: 1 }, limits);
  return { trip: wave.trip, doubted: [...lately.doubted, ...wave.doubted] };
}

/** Reads the reporting sites only when the window is over a limit, which is rare. */
async function judgeWindow(
  ctx: EdgeContext,
  { id, window, since, least }: { id: number; window: OutcomeWindow; since: number; least: number },
  limits: BreakerLimits,
): Promise<Judgement> {
  if (trippedBy(window, limits, least) === null) return FINE;
  const words = await readUnconfirmedWords(ctx, id, since);
  const seen = words.filter(({ isSeen }) => isSeen);
  const parts = words.filter(({ isSeen }) => !isSeen);
  const { trip, doubted } = judgeBySite(seen.reduce(without, window), parts, limits, least);
  const resting = new Set(words.filter(({ rests }) => rests).map(({ site }) => site));
  return { trip, doubted: doubted.filter(({ site }) => !resting.has(site)) };
}

async function letGo(ctx: EdgeContext, campaign: number): Promise<void> {
  const args = { now: ctx.now(), campaign };
  await writeBatch(ctx.db, {
    letGo: statement(LET_GO, args),
    sitesEvent: rightAfter("letGo", statement(WORK_WAITING_IF_CHANGED, args)),
  });
  ctx.wakeOutbox();
}
