import type { CampaignStatus } from "shared/campaign.ts";

/** Processing and active are the in-progress states: they show progress and an estimate. */
export function isRunning(status: CampaignStatus): boolean {
  return status === "processing" || status === "active";
}
