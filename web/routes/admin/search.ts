import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import type { SearchHit } from "shared/admin_api.ts";
import { apiJson } from "../../data/api_client.ts";

/** Campaigns, devices, users and sites whose names hold `q`, at most eight; nothing is asked without words. */
export function searchQuery(q: string) {
  return queryOptions({
    queryKey: ["/api/admin/search", { q }],
    queryFn: q === ""
      ? skipToken
      : ({ signal }) => apiJson<{ items: SearchHit[] }>("POST", "/api/admin/search", { body: { q }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
}
