import type { CampaignCounts } from "shared/campaign.ts";
import type { Campaign, CampaignNotice } from "shared/http_api.ts";
import type { CampaignRow } from "./read.ts";

/** A campaign's row as the interface shows it; contacts of a draft are counted as queued. */
export function viewCampaign(row: CampaignRow, notices: CampaignNotice[]): Campaign {
  const counts = countsOf(row);
  return {
    id: row.id,
    name: row.name,
    message: row.message,
    // The hash makes a new image a new address, so that each may be kept for ever.
    imageUrl: row.image && `/api/campaigns/${row.id}/image?v=${row.image.slice(0, 16)}`,
    status: row.status,
    totalContacts: Object.values(counts).reduce((sum, count) => sum + count, 0),
    sentCount: row.sentCount,
    counts,
    createdAt: row.createdAt,
    startedAt: row.sendAt,
    completedAt: row.completedAt,
    lastSentAt: row.lastSentAt,
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
