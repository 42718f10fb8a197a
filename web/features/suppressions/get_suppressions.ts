import { infiniteQueryOptions } from "@tanstack/react-query";
import type { SuppressionPage } from "shared/suppressions_api.ts";
import { pathOfKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";

/** Key prefix of all pages of the list, for every search; live events fetch it again. */
export const SUPPRESSIONS_KEY = ["/api/suppressions"];
const PAGE_SIZE = 500;

/** The suppressed numbers, newest first; `q` is the beginning of a number, or a whole number. */
export function suppressionsQuery(q: string) {
  return infiniteQueryOptions({
    queryKey: [...SUPPRESSIONS_KEY, { q }],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage<SuppressionPage>(pathOfKey(SUPPRESSIONS_KEY), { limit: PAGE_SIZE, q, cursor }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}
