import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import type { SearchHit } from "shared/admin_api.ts";
import { apiJson } from "../../data/api_client.ts";

/** Up to eight campaigns, devices, users and sites with `q` in their names; no request for an empty `q`. */
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
