import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ActivityType } from "shared/activity.ts";
import type { ActivityPage } from "shared/admin_api.ts";
import { apiJson, pathOfKey, readByKey } from "../../api_client.ts";
import { pollEvery } from "../../poll.ts";

export interface ActivityFilter {
  kind: ActivityType | undefined;
  /** Part of the sentence. */
  q: string;
}

const KEY = ["/api/admin/activity"];
const PAGE_SIZE = 100;
const FEED_REFRESH_MS = 5000;

/** The newest lines; live events put theirs on top, and the poll is the net below them. */
export const activityFeedQuery = queryOptions({
  queryKey: KEY,
  queryFn: readByKey<ActivityPage>(),
  refetchInterval: pollEvery(FEED_REFRESH_MS),
});

/** All lines, newest first, page by page; they stand still while one reads. */
export function activityPagesQuery({ kind, q }: ActivityFilter) {
  return infiniteQueryOptions({
    queryKey: [...KEY, "pages", { kind, q }],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: String(PAGE_SIZE) });
      if (kind) search.set("kind", kind);
      if (q) search.set("q", q);
      if (pageParam !== null) search.set("cursor", String(pageParam));
      return apiJson<ActivityPage>("GET", `${pathOfKey(KEY)}?${search}`, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}
