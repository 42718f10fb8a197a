import { queryOptions } from "@tanstack/react-query";
import type { Site } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

const SITES_REFRESH_MS = 5000;

/** Every site, with what it holds and when it was last heard of. */
export const sitesQuery = queryOptions({
  queryKey: ["/api/admin/sites"],
  queryFn: readByKey<{ items: Site[] }>(),
  refetchInterval: SITES_REFRESH_MS,
});
