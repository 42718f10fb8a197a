import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { DeliveryState } from "shared/delivery.ts";
import type { deliveryPageSchema } from "shared/http_api.ts";
import { pathOfKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";

export type DeliveryPage = z.infer<typeof deliveryPageSchema>;

export interface DeliveryFilter {
  state: DeliveryState | undefined;
  /** The beginning of a number, or a whole one. */
  q: string;
}

/** As often as the campaign above the table. */
const REFRESH_MS = 5000;
const PAGE_SIZE = 250;

/** Under this key lie all pages of one campaign's recipients, whatever their filter. */
export function deliveriesKey(campaignId: number) {
  return ["/api/campaigns", campaignId, "deliveries"] as const;
}

/** One page of a campaign's recipients, from `cursor` on; asked again by itself while states are changing. */
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
