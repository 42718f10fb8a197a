import { infiniteQueryOptions } from "@tanstack/react-query";
import type { FileItem, FilePage } from "shared/admin_api.ts";
import { pathOfKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";

export interface FileFilter {
  status: FileItem["status"] | undefined;
  /** Part of the file's name. */
  q: string;
}

/** Key prefix of all file pages, for every filter. */
export const FILES_KEY = ["/api/admin/files"];
const FILES_REFRESH_MS = 5000;
const PAGE_SIZE = 200;
/** With more pages than this only live events update the list, because a poll fetches every page. */
const MOST_POLLED_PAGES = 4;

/** Files uploaded for import, newest first, page by page. */
export function filesQuery({ status, q }: FileFilter) {
  return infiniteQueryOptions({
    queryKey: [...FILES_KEY, { status, q }],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage<FilePage>(pathOfKey(FILES_KEY), { limit: PAGE_SIZE, status, q, cursor }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > MOST_POLLED_PAGES ? false : FILES_REFRESH_MS,
  });
}
