import { infiniteQueryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { DeliveryState } from "shared/delivery.ts";
import type { deliveryPageSchema } from "shared/http_api.ts";
import { apiJson, pathOfKey } from "../../api_client.ts";

type DeliveryPage = z.infer<typeof deliveryPageSchema>;

export interface DeliveryFilter {
  state: DeliveryState | undefined;
  /** The beginning of a number, or a whole one. */
  q: string;
}

const PAGE_SIZE = 100;

/** Under this key lie all pages of one campaign's recipients, whatever their filter. */
export function deliveriesKey(campaignId: number) {
  return ["/api/campaigns", campaignId, "deliveries"] as const;
}

/** The recipients of a campaign in list order, page by page. */
export function deliveriesQuery(campaignId: number, { state, q }: DeliveryFilter) {
  const path = pathOfKey(deliveriesKey(campaignId));
  return infiniteQueryOptions({
    queryKey: [...deliveriesKey(campaignId), { state, q }],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: String(PAGE_SIZE) });
      if (state) search.set("state", state);
      if (q) search.set("q", q);
      if (pageParam !== null) search.set("cursor", pageParam);
      return apiJson<DeliveryPage>("GET", `${path}?${search}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  });
}
