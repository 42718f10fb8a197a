import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { WebhookCallState } from "shared/webhook_event.ts";
import type { WebhookCallPage, Webhooks } from "shared/webhooks_api.ts";
import { apiJson, readByKey } from "../../data/api_client.ts";

/** The webhooks of the viewer's account. */
export const webhooksQuery = queryOptions({
  queryKey: ["/api/webhooks"],
  queryFn: readByKey<Webhooks>(),
  staleTime: 0,
});

/** The calls of one webhook, newest first. */
export function callsQuery(id: number, state: WebhookCallState | "all") {
  return infiniteQueryOptions({
    queryKey: [`/api/webhooks/${id}/calls`, state],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams();
      if (state !== "all") search.set("state", state);
      if (pageParam !== null) search.set("cursor", String(pageParam));
      return apiJson<WebhookCallPage>("GET", `/api/webhooks/${id}/calls?${search}`, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // What waits moves by itself.
    refetchInterval: 5_000,
  });
}
