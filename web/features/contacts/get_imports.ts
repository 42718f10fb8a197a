import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ImportPage } from "shared/http_api.ts";
import { pathOfKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";

const PAGE_SIZE = 20;

/** What was added to a campaign, newest first, page by page; the campaign's live events fetch it again. */
export function importsQuery(campaignId: number) {
  const queryKey = ["/api/campaigns", campaignId, "imports"];
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage<ImportPage>(pathOfKey(queryKey), { limit: PAGE_SIZE, cursor }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}
