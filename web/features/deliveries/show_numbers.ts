import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { NUMBERS_VIEW } from "./text/numbers_view.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { withProof } from "../../data/with_proof.ts";
import { deliveriesKey } from "./get_deliveries.ts";

/** Shows a campaign's numbers to this session, with a reason; calls `onDone` unless the proof is declined. */
export function useShowNumbers(campaignId: number, onDone: () => void) {
  const refresh = useRefresh(campaignId);
  return useMutation({
    mutationFn: (reason: string) =>
      withProof((proof) => apiJson("POST", pathOf(campaignId), { body: { reason, ...proof } })),
    onSuccess: refresh,
    onSettled: unlessDeclined(onDone),
    onError: (error) => showFailure(NUMBERS_VIEW.failedTitle, error, ADMIN_COMMON.refused),
  });
}

/** Masks the numbers again. */
export function useHideNumbers(campaignId: number) {
  const refresh = useRefresh(campaignId);
  return useMutation({
    mutationFn: () => apiRequest("DELETE", pathOf(campaignId)),
    onSuccess: refresh,
    onError: (error) => showFailure(NUMBERS_VIEW.hideFailedTitle, error, ADMIN_COMMON.refused),
  });
}

function pathOf(campaignId: number): string {
  return `/api/admin/campaigns/${campaignId}/numbers`;
}

function useRefresh(campaignId: number) {
  const cache = useQueryClient();
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: ["/api/admin/campaigns", campaignId] }),
      cache.invalidateQueries({ queryKey: deliveriesKey(campaignId) }),
      // Not only read again: values that may no longer be seen leave the screen at once.
      cache.resetQueries({ queryKey: ["/api/campaigns", campaignId, "personal"] }),
    ]);
}
