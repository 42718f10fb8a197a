import type { CampaignStatus } from "shared/campaign.ts";

/** Returns whether a campaign is in progress (processing or active) and shows progress and an estimate. */
export function isRunning(status: CampaignStatus): boolean {
  return status === "processing" || status === "active";
}
