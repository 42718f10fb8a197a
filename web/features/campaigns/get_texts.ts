import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import type { CampaignTexts } from "shared/variants_api.ts";
import { apiJson } from "../../data/api_client.ts";

/** The part of a campaign on which its texts and their figures depend. */
export type TextsOf = Pick<Campaign, "id" | "status" | "counts" | "optedOutCount" | "notices">;

/** The texts of a campaign; another state of it is another query. */
export function textsQuery({ id, status, counts, optedOutCount, notices }: TextsOf) {
  const { sent, failed, unknown } = counts;
  const waits = notices.some(({ code }) => code === "choose_text");
  return queryOptions({
    queryKey: ["/api/campaigns", id, "texts", status, sent, failed, unknown, optedOutCount, waits],
    queryFn: ({ signal }) => apiJson<CampaignTexts>("GET", `/api/campaigns/${id}/texts`, { signal }),
    placeholderData: keepPreviousData,
  });
}
