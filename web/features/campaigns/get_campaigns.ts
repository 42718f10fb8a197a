import { queryOptions } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";
import { pollEvery } from "../../data/poll.ts";

/** Poll interval of an open list or detail; covers missed live events. */
const CAMPAIGN_REFRESH_MS = 5000;
export const pollCampaigns = pollEvery(CAMPAIGN_REFRESH_MS);

/** Most campaigns in one response. */
export const LIST_LENGTH = 200;

/** The newest campaigns of this user, newest first. */
export const campaignsQuery = queryOptions({
  queryKey: ["/api/campaigns"],
  queryFn: readByKey<Campaign[]>(),
  refetchInterval: pollCampaigns,
});
