import { queryOptions } from "@tanstack/react-query";
import type { Forecast } from "shared/plan_api.ts";
import { apiJson } from "../../data/api_client.ts";

const STALE_MS = 30_000;

/** What the sending hours and the phones make of a campaign that starts at `at`, ms. */
export function forecastQuery(id: number, at: number) {
  return queryOptions({
    queryKey: ["/api/campaigns", id, "forecast", at],
    queryFn: () => apiJson<Forecast>("GET", `/api/campaigns/${id}/plan/forecast?at=${at}`),
    staleTime: STALE_MS,
    retry: false,
  });
}
