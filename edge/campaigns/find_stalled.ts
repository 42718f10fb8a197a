/** The running campaigns that stand still: for the administrators' alerts, and for the audit of a busy world. */
import { STALL_MS, type StallCause } from "shared/standing.ts";
import type { EdgeContext } from "../context.ts";
import { saysWhy, stallCause } from "./notices.ts";
import { readShown } from "./read_shown.ts";

export interface StalledCampaign {
  campaign: number;
  name: string;
  cause: StallCause;
  /** The site that holds its messages, or null. */
  siteName: string | null;
  /** Since when nothing went, ms; null = unknown. */
  since: number | null;
}

/** Reads at most this many campaigns, the longest still first. */
const MOST_READ = 50;
const STILL = `c.id IN (SELECT id FROM campaigns
  WHERE status IN ('processing', 'active') AND carrier_until IS NULL AND queued_count + leased_count > 0
    AND max(coalesce(last_sent_at, 0), coalesce(send_at, 0)) <= :stillSince
  ORDER BY coalesce(last_sent_at, send_at) LIMIT ${MOST_READ + 1}) ORDER BY c.send_at, c.id`;

/**
 * Returns the campaigns that stand for a cause that no other alert names. `hasMore` says that more campaigns sent
 * nothing than were read, so that there may be more of them.
 */
export async function findStalled(
  ctx: EdgeContext,
): Promise<{ stalled: StalledCampaign[]; hasMore: boolean }> {
  const { campaigns } = await readStill(ctx);
  const stalled = campaigns.flatMap(({ row, notices }): StalledCampaign[] => {
    const found = stallCause(notices);
    if (found === null) return [];
    const siteName = notices.find(({ code }) => code === "stalled")?.site ?? null;
    return [{ campaign: row.id, name: row.name, siteName, ...found }];
  });
  return { stalled, hasMore: campaigns.length > MOST_READ };
}

/** A running campaign that sent nothing for STALL_MS. */
export interface StillCampaign {
  id: number;
  /** Messages with an outcome, to see whether it moved between two looks. */
  outcomes: number;
  saysWhy: boolean;
}

/** Returns the running campaigns that sent nothing lately, and whether their notices say why. */
export async function listStill(ctx: EdgeContext): Promise<StillCampaign[]> {
  const { campaigns } = await readStill(ctx);
  return campaigns.map(({ row, notices }) => ({
    id: row.id,
    outcomes: row.sentCount + row.failedCount + row.unknownCount + row.skippedCount + row.cancelledCount,
    saysWhy: saysWhy(row, notices),
  }));
}

function readStill(ctx: EdgeContext) {
  return readShown(ctx, { campaigns: STILL, line: "1" }, { stillSince: ctx.now() - STALL_MS });
}
