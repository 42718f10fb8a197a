import { type CampaignStatus, endedWell } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";

/** Groups of statuses in a client's own words. */
export const STATUS_GROUPS = {
  running: ["processing", "active"],
  paused: ["paused"],
  unsent: ["ready", "draft"],
  completed: ["completed"],
  troubled: ["completed_with_errors", "failed"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly CampaignStatus[]>;
export type StatusGroup = keyof typeof STATUS_GROUPS;

export interface Wanted {
  /** A part of the name or the message, ignoring case. */
  text: string;
  /** "" for all. */
  group: StatusGroup | "";
}

/** Returns the campaigns with a text in their name or message, and of a group. */
export function findCampaigns(campaigns: readonly Campaign[], { text, group }: Wanted): Campaign[] {
  const wanted = text.toLowerCase();
  return campaigns.filter((campaign) =>
    isOf(campaign, group) && `${campaign.name}\n${campaign.message}`.toLowerCase().includes(wanted)
  );
}

/** Returns the campaigns that move first, then those that stand still in the middle, then all others as they were. */
export function movingFirst(campaigns: readonly Campaign[]): Campaign[] {
  const rank = (campaign: Campaign) => isOf(campaign, "running") ? 0 : isOf(campaign, "paused") ? 1 : 2;
  return campaigns.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns whether a campaign is of a group. */
export function isOf(campaign: Campaign, group: StatusGroup | ""): boolean {
  const status = endedWell(campaign) ? "completed" : campaign.status;
  return group === "" || (STATUS_GROUPS[group] as readonly CampaignStatus[]).includes(status);
}
