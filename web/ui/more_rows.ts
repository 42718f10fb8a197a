import type { UseInfiniteQueryResult } from "@tanstack/react-query";

type Pages = Pick<
  UseInfiniteQueryResult,
  "hasNextPage" | "isFetching" | "isFetchNextPageError" | "fetchNextPage"
>;

/**
 * Returns a virtual list's paging functions for a list that loads page by page. Reaching the end during a refetch
 * loads the next page right after it. A failed page is requested again only by scrolling.
 */
export function moreRows(
  pages: Pages,
): { onNearEnd: () => void; isBusy: boolean } {
  return {
    onNearEnd() {
      if (pages.hasNextPage && !pages.isFetching) void pages.fetchNextPage();
    },
    isBusy: pages.isFetching || pages.isFetchNextPageError,
  };
}
