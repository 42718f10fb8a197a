import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { SEND_DELAY_SECONDS } from "shared/campaign.ts";
import type { ErrorCode } from "shared/error_code.ts";
import type { SendRequest, SendResult } from "shared/http_api.ts";
import { ApiError, apiJson } from "../../data/api_client.ts";
import { CAMPAIGN } from "./text/campaign.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { campaignQuery } from "./get_campaign.ts";
import { campaignsQuery } from "./get_campaigns.ts";

/** Titles and explanations of a failed send on the list and the detail screen. */
export const SEND_FAILURES = {
  list: { title: CAMPAIGN.sendFailedTitleList, fallback: CAMPAIGN.sendFailedList },
  detail: { title: CAMPAIGN.sendFailedTitleDetail, fallback: CAMPAIGN.sendFailedDetail },
} as const;

/** Sends a ready campaign, shows the result, and fetches everything that a send changes. */
export function useSendCampaign(screen: keyof typeof SEND_FAILURES, onSent?: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reached, leaveOutEmpty }: { id: number } & SendRequest) =>
      apiJson<SendResult>("POST", `/api/campaigns/${id}/send`, {
        body: { reached, leaveOutEmpty, delaySeconds: SEND_DELAY_SECONDS },
        once: true,
      }),
    onSuccess: (_result, { id }) => {
      showToast({ title: CAMPAIGN.sentTitle, description: CAMPAIGN.sentBody });
      onSent?.();
      return refreshAfterSend(cache, id);
    },
    onError: (error, { id }) => {
      if (isReachedBefore(error)) return;
      // The words or the contacts are no longer those that were reviewed.
      if (isAboutValues(error)) void cache.invalidateQueries({ queryKey: campaignQuery(id).queryKey });
      const { title, fallback } = SEND_FAILURES[screen];
      showFailure(title, error, fallback);
    },
  });
}

/** Returns whether a person has to decide about contacts reached in the time that a restored database lost. */
export function isReachedBefore(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "reached_in_lost_time";
}

const ABOUT_VALUES: readonly (ErrorCode | undefined)[] = [
  "placeholder_faulty",
  "field_unknown",
  "values_missing",
  "text_too_long",
];

function isAboutValues(error: unknown): boolean {
  return error instanceof ApiError && ABOUT_VALUES.includes(error.code);
}

/** Fetches everything that a send changes. */
export async function refreshAfterSend(cache: QueryClient, id: number): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true }),
    cache.invalidateQueries({ queryKey: campaignQuery(id).queryKey }),
    cache.invalidateQueries({ queryKey: ["/api/auth/me"] }),
  ]);
}
