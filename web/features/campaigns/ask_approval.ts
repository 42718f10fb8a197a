import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { refreshAfterSend } from "./send_campaign.ts";
import { APPROVAL } from "./text/approval.ts";

/** Asks administrators to approve a campaign as it is now. */
export function useAskApproval(id: number, onAsked: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<Campaign>("POST", `/api/campaigns/${id}/approval`),
    onSuccess: () => {
      showToast({ title: APPROVAL.askedTitle, description: APPROVAL.askedBody, tone: "ok" });
      onAsked();
    },
    onError: (error) => showFailure(APPROVAL.failedTitle, error, APPROVAL.failed),
    onSettled: () => refreshAfterSend(cache, id),
  });
}
