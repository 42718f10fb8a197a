import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ReplyPage } from "shared/replies_api.ts";
import { apiJson } from "../../data/api_client.ts";

const POLL_MS = 5_000;
const PAGE_SIZE = 100;

/**
 * Replies that wait for a person, newest first. Their key is under the suppression list's key, because changes of
 * the list may affect them.
 */
export const waitingRepliesQuery = infiniteQueryOptions({
  queryKey: ["/api/suppressions", "replies"],
  queryFn: ({ pageParam, signal }) => {
    const search = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (pageParam !== null) search.set("cursor", String(pageParam));
    return apiJson<ReplyPage>("GET", `/api/replies?${search}`, { signal });
  },
  initialPageParam: null as number | null,
  getNextPageParam: (last) => last.nextCursor,
  refetchInterval: POLL_MS,
});
