import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { SendResult } from "shared/http_api.ts";
import { apiJson } from "../../api_client.ts";
import { CAMPAIGN } from "../../text/campaign.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";

/** The list and the detail screen title and excuse a failed send differently. */
export const SEND_FAILURES = {
  list: { title: CAMPAIGN.sendFailedTitleList, fallback: CAMPAIGN.sendFailedList },
  detail: { title: CAMPAIGN.sendFailedTitleDetail, fallback: CAMPAIGN.sendFailedDetail },
} as const;

/** Sends a ready campaign, says how it went, and asks again for all that a send changes. */
export function useSendCampaign(screen: keyof typeof SEND_FAILURES, onSent?: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => apiJson<SendResult>("POST", `/api/campaigns/${id}/send`),
    onSuccess: (_result, id) => {
      showToast({ title: CAMPAIGN.sentTitle, description: CAMPAIGN.sentBody });
      onSent?.();
      return refreshAfterSend(cache, id);
    },
    onError: (error) => {
      const { title, fallback } = SEND_FAILURES[screen];
      showFailure(title, error, fallback);
    },
  });
}

async function refreshAfterSend(cache: QueryClient, id: number): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true }),
    cache.invalidateQueries({ queryKey: campaignQuery(id).queryKey }),
    cache.invalidateQueries({ queryKey: ["/api/auth/me"] }),
  ]);
}
