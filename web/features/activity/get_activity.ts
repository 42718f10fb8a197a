import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ActivityType } from "shared/activity.ts";
import type { ActivityPage } from "shared/admin_api.ts";
import { pathOfKey, readByKey } from "../../data/api_client.ts";
import { pollEvery } from "../../data/poll.ts";
import { readPage } from "../../data/read_page.ts";

export interface ActivityFilter {
  kind: ActivityType | undefined;
  /** Part of the line's sentence. */
  q: string;
}

const KEY = ["/api/admin/activity"];
const PAGE_SIZE = 100;
const FEED_REFRESH_MS = 5000;

/** The newest lines; live events add to the top, and the poll covers missed events. */
export const activityFeedQuery = queryOptions({
  queryKey: KEY,
  queryFn: readByKey<ActivityPage>(),
  refetchInterval: pollEvery(FEED_REFRESH_MS),
});

/** All lines, newest first, page by page; live events do not change them. */
export function activityPagesQuery({ kind, q }: ActivityFilter) {
  return infiniteQueryOptions({
    queryKey: [...KEY, "pages", { kind, q }],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage<ActivityPage>(pathOfKey(KEY), { limit: PAGE_SIZE, kind, q, cursor }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}
