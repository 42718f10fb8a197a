import { queryOptions } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { ApiError, readByKey } from "../../data/api_client.ts";
import { pollCampaigns } from "./get_campaigns.ts";

/** One campaign, polled while it is on the screen unless it does not exist. */
export function campaignQuery(id: number) {
  return queryOptions({
    queryKey: ["/api/campaigns", id],
    queryFn: readByKey<Campaign>(),
    refetchInterval: (query) => isMissing(query.state.error) ? false : pollCampaigns(query),
  });
}

/** Returns whether the campaign does not exist or belongs to another user. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
