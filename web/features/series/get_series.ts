import { queryOptions } from "@tanstack/react-query";
import type { Lists } from "shared/lists_api.ts";
import type { OneSeries, Series } from "shared/series_api.ts";
import { ApiError, apiJson, readByKey } from "../../data/api_client.ts";

/** Key prefix of everything about repeats. */
export const SERIES_KEY = ["/api/series"];
const POLL_MS = 15_000;

export const allSeriesQuery = queryOptions({
  queryKey: SERIES_KEY,
  queryFn: readByKey<Series[]>(),
  refetchInterval: POLL_MS,
});

/** One repeat with its runs, polled while it is on the screen unless it does not exist. */
export function seriesQuery(id: number) {
  return queryOptions({
    queryKey: [...SERIES_KEY, id],
    queryFn: readByKey<OneSeries>(),
    refetchInterval: (query) => isMissingSeries(query.state.error) ? false : POLL_MS,
  });
}

/** The client's lists, for the choice of a repeat. */
export const ownListsQuery = queryOptions({
  queryKey: ["/api/lists", { client: undefined }],
  queryFn: ({ signal }) => apiJson<Lists>("GET", "/api/lists", { signal }),
});

export function isMissingSeries(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
