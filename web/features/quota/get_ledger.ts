import { infiniteQueryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { ledgerPageSchema } from "shared/http_api.ts";
import { apiJson, pathOfKey } from "../../data/api_client.ts";

type LedgerPage = z.infer<typeof ledgerPageSchema>;

/** The changes of one client's quota, newest first, page by page. */
export function ledgerQuery(userId: number) {
  return infiniteQueryOptions({
    queryKey: ["/api/users", userId, "ledger"],
    queryFn: ({ queryKey, pageParam, signal }) => {
      const search = pageParam === null ? "" : `?cursor=${pageParam}`;
      return apiJson<LedgerPage>("GET", pathOfKey(queryKey) + search, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}
