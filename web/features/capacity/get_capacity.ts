import { queryOptions } from "@tanstack/react-query";
import type { Capacity } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

const CAPACITY_REFRESH_MS = 5000;

/** What is left today by site, the queue against it, and when each campaign ends. */
export const capacityQuery = queryOptions({
  queryKey: ["/api/admin/capacity"],
  queryFn: readByKey<Capacity>(),
  refetchInterval: CAPACITY_REFRESH_MS,
});
