import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Erasure } from "shared/privacy.ts";
import { apiJson } from "../../data/api_client.ts";

export interface ErasurePage {
  items: Erasure[];
  nextCursor: number | null;
}

const PATH = "/api/admin/erasures";
const REFRESH_MS = 5_000;

/** Erasure certificates, newest first; polled while one of them is incomplete. */
export const erasuresQuery = infiniteQueryOptions({
  queryKey: [PATH],
  queryFn: ({ pageParam, signal }) =>
    apiJson<ErasurePage>("GET", pageParam === null ? PATH : `${PATH}?cursor=${pageParam}`, { signal }),
  initialPageParam: null as number | null,
  getNextPageParam: (last) => last.nextCursor,
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.items.some(({ doneAt }) => doneAt === null)) ? REFRESH_MS : false,
});
