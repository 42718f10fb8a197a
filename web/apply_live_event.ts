/** What a live event changes on the screen: edits under the features' own query keys, and at most one toast. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Campaign, User } from "shared/http_api.ts";
import type { CampaignEventData, LiveEvent } from "shared/live_event.ts";
import { campaignQuery } from "./features/campaigns/get_campaign.ts";
import { campaignsQuery } from "./features/campaigns/get_campaigns.ts";
import { currentUserQuery } from "./features/session/current_user.ts";
import { CAMPAIGN } from "./text/campaign.ts";

/** Change what the cache holds under a key, or ask the server again for all keys that begin with it. */
export type CacheEdit =
  | { queryKey: QueryKey; change: (held: unknown) => unknown }
  | { queryKey: QueryKey; refetch: "exact" | "below" };

/** The edits an event asks for; nothing is touched that the cache does not hold. */
export function editsFor(event: LiveEvent): CacheEdit[] {
  switch (event.type) {
    case "campaign_progress":
      return figuresOf(event.data);
    case "campaign_started":
    case "campaign_completed":
    case "campaign_ended":
    case "campaign_paused":
      return [...figuresOf(event.data), ...refreshOf(event.data.campaignId)];
    case "campaign_changed":
    case "import_progress":
      return refreshOf(event.data.campaignId);
    case "quota_changed": {
      const { messageQuota } = event.data;
      return [
        {
          queryKey: currentUserQuery.queryKey,
          change: (held) => held ? { ...held as User, messageQuota } : held,
        },
        { queryKey: ["/api/users"], refetch: "below" },
      ];
    }
    case "device_changed":
    case "account_changed":
      return [{ queryKey: ["/api/devices/adb-status"], refetch: "below" }];
    case "activity":
      return [{ queryKey: ["/api/admin/activity"], refetch: "below" }];
    case "alert":
      return [{ queryKey: ["/api/admin/alerts"], refetch: "below" }];
  }
}

/** The toast an event calls for, if any. */
export function toastFor(event: LiveEvent): { title: string; description: string } | undefined {
  if (event.type === "campaign_started") {
    return { title: CAMPAIGN.startedTitle, description: CAMPAIGN.started(event.data.totalContacts) };
  }
  if (event.type === "campaign_completed") {
    return { title: CAMPAIGN.completedTitle, description: CAMPAIGN.completed };
  }
}

/** Carries out edits on a query cache. */
export function applyEdits(
  cache: Pick<QueryClient, "setQueryData" | "invalidateQueries">,
  edits: CacheEdit[],
): void {
  for (const edit of edits) {
    if ("change" in edit) cache.setQueryData(edit.queryKey, edit.change);
    else void cache.invalidateQueries({ queryKey: edit.queryKey, exact: edit.refetch === "exact" });
  }
}

/** Events carry absolute figures, so the newest one simply replaces what is held. */
function figuresOf(data: CampaignEventData): CacheEdit[] {
  const { campaignId, name, status, totalContacts, sentCount, counts, completedAt } = data;
  const change = (campaign: Campaign): Campaign =>
    campaign.id === campaignId
      ? { ...campaign, name, status, totalContacts, sentCount, counts, completedAt }
      : campaign;
  return [
    { queryKey: campaignsQuery.queryKey, change: (held) => (held as Campaign[] | undefined)?.map(change) },
    { queryKey: campaignQuery(campaignId).queryKey, change: (held) => held && change(held as Campaign) },
  ];
}

function refreshOf(campaignId: number): CacheEdit[] {
  return [
    { queryKey: campaignsQuery.queryKey, refetch: "exact" },
    { queryKey: campaignQuery(campaignId).queryKey, refetch: "below" },
  ];
}
