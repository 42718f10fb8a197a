import { infiniteQueryOptions } from "@tanstack/react-query";
import type { FileItem, FilePage } from "shared/admin_api.ts";
import { pathOfKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";

export interface FileFilter {
  status: FileItem["status"] | undefined;
  /** Part of the name. */
  q: string;
}

/** Under this key lie all pages of files, whatever their filter. */
export const FILES_KEY = ["/api/admin/files"];
const FILES_REFRESH_MS = 5000;
const PAGE_SIZE = 200;
/** With more pages than this the poll, which asks for each of them, is left to the live events. */
const MOST_POLLED_PAGES = 4;

/** The files people uploaded for the server to take in, newest first, page by page. */
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
