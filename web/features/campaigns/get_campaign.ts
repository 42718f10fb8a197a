import { queryOptions } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { ApiError, readByKey } from "../../data/api_client.ts";
import { pollCampaigns } from "./get_campaigns.ts";

/** One campaign, asked again while it is on the screen, unless there is none. */
export function campaignQuery(id: number) {
  return queryOptions({
    queryKey: ["/api/campaigns", id],
    queryFn: readByKey<Campaign>(),
    refetchInterval: (query) => isMissing(query.state.error) ? false : pollCampaigns(query),
  });
}

/** Whether the server says that there is no such campaign, or that it is somebody else's. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
