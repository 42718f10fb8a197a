import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { recallResultSchema } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { DETAIL } from "../../text/campaign_detail.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

export type CampaignChange = "pause" | "resume" | "cancel";
type RecallResult = z.infer<typeof recallResultSchema>;

const DONE = { pause: DETAIL.pausedTitle, resume: DETAIL.resumedTitle, cancel: DETAIL.cancelledTitle };

/**
 * Pauses, resumes or cancels a campaign, and reports the number of affected messages. `trip` is the id of a
 * breaker's pause; sending it proves that the person read the reason.
 */
export function useChangeCampaign(id: number, trip?: number) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (change: CampaignChange) =>
      apiJson<RecallResult>(
        "POST",
        `/api/campaigns/${id}/${change}`,
        change === "resume" ? { body: trip === undefined ? undefined : { trip }, once: true } : undefined,
      ),
    onSuccess: ({ changed, recalled }, change) => {
      const counted = changed + recalled > 0;
      showToast({
        title: DONE[change],
        description: counted ? DETAIL.recalled(changed, recalled) : undefined,
      });
      return cache.invalidateQueries();
    },
    onError: (error) => showFailure(DETAIL.changeFailedTitle, error, DETAIL.changeFailed),
  });
}
