import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DecideApprovalRequest, WaitingApproval } from "shared/approval_api.ts";
import { apiRequest } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { approvalsQuery } from "./get_approvals.ts";
import { APPROVALS } from "./text.ts";

/** Decides about a campaign as it was shown; calls `onDone` after success or failure. */
export function useDecideApproval({ campaign, revision }: WaitingApproval, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (decision: Omit<DecideApprovalRequest, "revision">) =>
      apiRequest("POST", `/api/admin/campaigns/${campaign.id}/approval`, { body: { ...decision, revision } }),
    onSuccess: (_answer, { decision }) => {
      const isApproved = decision === "approved";
      showToast({
        title: isApproved ? APPROVALS.approvedTitle : APPROVALS.refusedTitle,
        description: isApproved ? undefined : APPROVALS.refusedBody,
        tone: "ok",
      });
    },
    onError: (error) => showFailure(APPROVALS.failedTitle, error, APPROVALS.failedBody),
    onSettled: async () => {
      onDone();
      await cache.invalidateQueries({ queryKey: approvalsQuery.queryKey });
    },
  });
}
