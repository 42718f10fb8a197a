import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { SendRequest, SendResult } from "shared/http_api.ts";
import { ApiError, apiJson } from "../../data/api_client.ts";
import { CAMPAIGN } from "./text/campaign.ts";
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
    mutationFn: ({ id, reached }: { id: number } & SendRequest) =>
      apiJson<SendResult>("POST", `/api/campaigns/${id}/send`, reached && { body: { reached } }),
    onSuccess: (_result, { id }) => {
      showToast({ title: CAMPAIGN.sentTitle, description: CAMPAIGN.sentBody });
      onSent?.();
      return refreshAfterSend(cache, id);
    },
    onError: (error) => {
      if (isReachedBefore(error)) return;
      const { title, fallback } = SEND_FAILURES[screen];
      showFailure(title, error, fallback);
    },
  });
}

/** Whether a restore left contacts who were reached already, so that a person has to say what is done with them. */
export function isReachedBefore(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "reached_in_lost_time";
}

async function refreshAfterSend(cache: QueryClient, id: number): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true }),
    cache.invalidateQueries({ queryKey: campaignQuery(id).queryKey }),
    cache.invalidateQueries({ queryKey: ["/api/auth/me"] }),
  ]);
}
