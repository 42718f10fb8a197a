import { queryOptions } from "@tanstack/react-query";
import type { Dashboard } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

const DASHBOARD_REFRESH_MS = 5000;

/** Everything the dashboard measures, in one answer. */
export const dashboardQuery = queryOptions({
  queryKey: ["/api/admin/dashboard"],
  queryFn: readByKey<Dashboard>(),
  refetchInterval: DASHBOARD_REFRESH_MS,
});
