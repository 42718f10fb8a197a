import { queryOptions } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { readByKey } from "../../api_client.ts";

/** How often an open list or detail asks again; the safety net under the live events. */
export const CAMPAIGN_REFRESH_MS = 5000;

/** The newest campaigns of this user, newest first. */
export const campaignsQuery = queryOptions({
  queryKey: ["/api/campaigns"],
  queryFn: readByKey<Campaign[]>(),
  refetchInterval: CAMPAIGN_REFRESH_MS,
});
