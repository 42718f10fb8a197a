import { queryOptions } from "@tanstack/react-query";
import type { Dashboard } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

const DASHBOARD_REFRESH_MS = 5000;

/** All figures of the dashboard in one response. */
export const dashboardQuery = queryOptions({
  queryKey: ["/api/admin/dashboard"],
  queryFn: readByKey<Dashboard>(),
  refetchInterval: DASHBOARD_REFRESH_MS,
});
