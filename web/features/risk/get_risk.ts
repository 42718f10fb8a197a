import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Risk } from "shared/admin_api.ts";
import { apiJson } from "../../data/api_client.ts";

const RISK_REFRESH_MS = 5000;

/** The three risk tiers, each with the `limit` devices of highest risk. */
export function riskQuery(limit: number) {
  return queryOptions({
    queryKey: ["/api/admin/risk", { limit }],
    queryFn: ({ signal }) => apiJson<Risk>("GET", `/api/admin/risk?limit=${limit}`, { signal }),
    refetchInterval: RISK_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}
