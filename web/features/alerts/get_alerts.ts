import { queryOptions } from "@tanstack/react-query";
import type { AdminAlert, AdminAlerts } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

export type { AdminAlert };

const ALERTS_REFRESH_MS = 5000;

/** Default for an older server without `cut`. */
const AS_BEFORE: Pick<AdminAlerts, "cut"> = { cut: [] };
const readAlerts = readByKey<AdminAlerts>();

/** All alerts, worst first. During an update the server may be older than this screen. */
export const alertsQuery = queryOptions({
  queryKey: ["/api/admin/alerts"],
  queryFn: async (context): Promise<AdminAlerts> => ({ ...AS_BEFORE, ...await readAlerts(context) }),
  refetchInterval: ALERTS_REFRESH_MS,
});
