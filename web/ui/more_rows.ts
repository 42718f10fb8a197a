import type { UseInfiniteQueryResult } from "@tanstack/react-query";

type Pages = Pick<
  UseInfiniteQueryResult,
  "hasNextPage" | "isFetching" | "isFetchNextPageError" | "fetchNextPage"
>;

/**
 * What a virtual list needs of a list that comes page by page. Whoever reaches its end while it is asked for anew gets
 * the next page right after; a page that failed is asked for again by scrolling, and never by itself.
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
