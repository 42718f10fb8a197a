import { queryOptions } from "@tanstack/react-query";
import type { Site } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

const SITES_REFRESH_MS = 5000;

/** All sites, with held deliveries and last contact. */
export const sitesQuery = queryOptions({
  queryKey: ["/api/admin/sites"],
  queryFn: readByKey<{ items: Site[] }>(),
  refetchInterval: SITES_REFRESH_MS,
});
