import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Choice, ChoiceCount, ContactCard, ContactPage, Lists, OneList } from "shared/lists_api.ts";
import type { Consent } from "shared/consent.ts";
import { ApiError, apiJson, readByKey } from "../../data/api_client.ts";

/** Key prefix of everything about lists. */
export const LISTS_KEY = ["/api/lists"];
const PAGE_SIZE = 100;

/** The lists of this client; for an administrator those of `client`. */
export function listsQuery(client?: number) {
  return queryOptions({
    queryKey: [...LISTS_KEY, { client }],
    queryFn: ({ signal }) =>
      apiJson<Lists>("GET", `/api/lists${client === undefined ? "" : `?client=${client}`}`, { signal }),
  });
}

export function listQuery(id: number) {
  return queryOptions({ queryKey: [...LISTS_KEY, id], queryFn: readByKey<OneList>() });
}

/** A list's contacts by number, or those whose number or a value begins with `q`. */
export function contactsQuery(list: number, q: string) {
  return infiniteQueryOptions({
    queryKey: [...LISTS_KEY, list, "contacts", { q }],
    queryFn: ({ pageParam: cursor, signal }) =>
      apiJson<ContactPage>("POST", `/api/lists/${list}/search`, {
        body: { q, cursor, limit: PAGE_SIZE },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}

export function cardQuery(list: number, contact: number) {
  return queryOptions({
    queryKey: [...LISTS_KEY, list, "contacts", contact],
    queryFn: readByKey<ContactCard>(),
  });
}

/** How many people a choice would add to a campaign; null = no list is chosen. */
export function choiceCountQuery(campaign: number, choice: (Choice & { consent?: Consent }) | null) {
  return queryOptions({
    queryKey: ["choice count", campaign, choice],
    queryFn: ({ signal }) =>
      apiJson<ChoiceCount>("POST", `/api/campaigns/${campaign}/contacts/lists/count`, {
        body: { ...choice },
        signal,
      }),
    enabled: choice !== null,
    gcTime: 0,
    staleTime: 0,
  });
}

export function isMissingList(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
