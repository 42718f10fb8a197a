import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { TrendKey } from "shared/trend_keys.ts";
import type { Trends } from "shared/trends.ts";
import { apiJson } from "../../data/api_client.ts";

export interface TrendChoice {
  days: string;
  by: TrendKey;
  /** One site, account or client; undefined = all. */
  id?: number;
}

const PATH = "/api/admin/trends";

/** Ended days by site, account or client; the earlier answer stays while another choice loads. */
export function trendsQuery({ days, by, id }: TrendChoice) {
  const search = new URLSearchParams({ days, by, ...(id === undefined ? {} : { id: String(id) }) });
  return queryOptions({
    queryKey: [PATH, { days, by, id }],
    queryFn: ({ signal }) => apiJson<Trends>("GET", `${PATH}?${search}`, { signal }),
    placeholderData: keepPreviousData,
    // A day that ended since belongs to the period.
    staleTime: 0,
  });
}
