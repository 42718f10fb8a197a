import { queryOptions } from "@tanstack/react-query";
import type { AdminHealth } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

const HEALTH_REFRESH_MS = 15_000;

/** Health of the system in one word. */
export const healthQuery = queryOptions({
  queryKey: ["/api/admin/health"],
  queryFn: readByKey<AdminHealth>(),
  refetchInterval: HEALTH_REFRESH_MS,
});
