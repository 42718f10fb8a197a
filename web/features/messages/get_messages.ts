import { infiniteQueryOptions } from "@tanstack/react-query";
import type { MessageMode, MessageState } from "shared/message.ts";
import type { MessagePage } from "shared/messages_api.ts";
import { pathOfKey } from "../../data/api_client.ts";
import { pollEvery } from "../../data/poll.ts";
import { readPage } from "../../data/read_page.ts";

/** Key prefix of all pages of the list, for every search. */
export const MESSAGES_KEY = ["/api/messages"];
const PAGE_SIZE = 100;
const REFRESH_MS = 5_000;

export interface MessageChoice {
  /** A number, the beginning of one, or a whole reference; "" = everything. */
  q: string;
  state: MessageState | "";
  mode: MessageMode;
}

/** The messages of the client, newest first. No live event tells of them: the first page is polled. */
export function messagesQuery({ q, state, mode }: MessageChoice) {
  return infiniteQueryOptions({
    queryKey: [...MESSAGES_KEY, { q, state, mode }],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage<MessagePage>(pathOfKey(MESSAGES_KEY), { limit: PAGE_SIZE, q, state, mode, cursor }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    // A poll fetches every page that was opened.
    refetchInterval: (query) => (query.state.data?.pages.length ?? 1) > 1 ? false : poll(query),
  });
}

const poll = pollEvery(REFRESH_MS);
