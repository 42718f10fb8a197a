import { queryOptions } from "@tanstack/react-query";
import type { DeliveryStory } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";
import { deliveriesKey } from "./get_deliveries.ts";

/** One recipient with the message's whole history; fetched again each time it is opened. */
export function deliveryStoryQuery(campaignId: number, deliveryId: number) {
  return queryOptions({
    queryKey: [...deliveriesKey(campaignId), deliveryId],
    queryFn: readByKey<DeliveryStory>(),
    staleTime: 0,
  });
}
