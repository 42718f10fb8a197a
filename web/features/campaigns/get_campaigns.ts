import { queryOptions } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";
import { pollEvery } from "../../data/poll.ts";

/** How often an open list or detail asks again; the safety net under the live events. */
const CAMPAIGN_REFRESH_MS = 5000;
export const pollCampaigns = pollEvery(CAMPAIGN_REFRESH_MS);

/** How many campaigns one answer holds at most. */
export const LIST_LENGTH = 200;

/** The newest campaigns of this user, newest first. */
export const campaignsQuery = queryOptions({
  queryKey: ["/api/campaigns"],
  queryFn: readByKey<Campaign[]>(),
  refetchInterval: pollCampaigns,
});
