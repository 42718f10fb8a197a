import type { CampaignCounts } from "shared/campaign.ts";
import type { Campaign, CampaignNotice } from "shared/http_api.ts";
import type { Advertiser } from "shared/marketing.ts";
import type { EdgeContext } from "../context.ts";
import { readAdvertiser } from "../lawful/advertiser.ts";
import { composedOf } from "../lawful/sent_text.ts";
import { countWaiting } from "../replies/count_waiting.ts";
import { readNotices } from "./notices.ts";
import type { CampaignRow } from "./read.ts";

/** One campaign with all that is shown of it. */
export async function showCampaign(ctx: EdgeContext, row: CampaignRow): Promise<Campaign> {
  const isComposed = row.kind !== "marketing" || row.sentText !== null;
  const advertiser = isComposed ? null : await readAdvertiser(ctx.db, row.client);
  return {
    ...viewCampaign(row, await readNotices(ctx, row), advertiser),
    waitingReplies: await countWaiting(ctx, row.id),
  };
}

/**
 * A campaign's row as the interface shows it; contacts of a draft are counted as queued. Without `advertiser` what is
 * to be sent of marketing is left open, as lists do.
 */
export function viewCampaign(
  row: CampaignRow,
  notices: CampaignNotice[],
  advertiser: Advertiser | null = null,
): Campaign {
  const counts = countsOf(row);
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    message: row.message,
    composed: composedOf(row, advertiser),
    // The hash makes a new image a new address, so that each may be kept for ever.
    imageUrl: row.image && `/api/campaigns/${row.id}/image?v=${row.image.slice(0, 16)}`,
    status: row.status,
    totalContacts: Object.values(counts).reduce((sum, count) => sum + count, 0),
    sentCount: row.sentCount,
    counts,
    optedOutCount: row.optedOutCount,
    createdAt: row.createdAt,
    startedAt: row.sendAt,
    completedAt: row.completedAt,
    lastSentAt: row.lastSentAt,
    pilot: row.pilotCount === null
      ? null
      : { count: row.pilotCount, waitMinutes: Math.round((row.pilotWaitMs ?? 0) / 60_000) },
    notices,
  };
}

/** How many deliveries rest in each state. */
export function countsOf(row: CampaignRow): CampaignCounts {
  return {
    queued: row.queuedCount,
    leased: row.leasedCount,
    sent: row.sentCount,
    failed: row.failedCount,
    unknown: row.unknownCount,
    skipped: row.skippedCount,
    cancelled: row.cancelledCount,
  };
}
