import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { DeliveryState } from "shared/delivery.ts";
import type { deliveryPageSchema } from "shared/http_api.ts";
import { pathOfKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";

export type DeliveryPage = z.infer<typeof deliveryPageSchema>;

export interface DeliveryFilter {
  state: DeliveryState | undefined;
  /** The beginning of a number, or a whole number. */
  q: string;
}

/** Same interval as the campaign above the table. */
const REFRESH_MS = 5000;
const PAGE_SIZE = 250;

/** Returns the key prefix of all pages of a campaign's recipients, for every filter. */
export function deliveriesKey(campaignId: number) {
  return ["/api/campaigns", campaignId, "deliveries"] as const;
}

/** One page of a campaign's recipients, from `cursor` on; polled while states change. */
export function deliveryPageQuery(
  campaignId: number,
  { state, q }: DeliveryFilter,
  cursor: string | null,
  isMoving: boolean,
) {
  const path = pathOfKey(deliveriesKey(campaignId));
  return queryOptions({
    queryKey: [...deliveriesKey(campaignId), { state, q, cursor }],
    queryFn: ({ signal }) => readPage<DeliveryPage>(path, { limit: PAGE_SIZE, state, q, cursor }, signal),
    refetchInterval: isMoving ? REFRESH_MS : false,
  });
}
