import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiRequest } from "../../data/api_client.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { HOURS_WAIVER } from "./text/hours_waiver.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

/** Excepts a campaign from the sending hours, with a reason; calls `onDone` after success or failure. */
export function useWaiveHours(campaignId: number, onDone: () => void) {
  const refresh = useRefresh(campaignId);
  return useMutation({
    mutationFn: (reason: string) => apiRequest("POST", pathOf(campaignId), { body: { reason } }),
    onSuccess: refresh,
    // A modal dialog covers the toasts, so it closes either way.
    onSettled: onDone,
    onError: (error) => showFailure(HOURS_WAIVER.failedTitle, error, ADMIN_COMMON.refused),
  });
}

/** Applies the sending hours to the campaign again. */
export function useRestoreHours(campaignId: number) {
  const refresh = useRefresh(campaignId);
  return useMutation({
    mutationFn: () => apiRequest("DELETE", pathOf(campaignId)),
    onSuccess: async () => {
      await refresh();
      showToast({ title: HOURS_WAIVER.restoredTitle, description: HOURS_WAIVER.restored, tone: "ok" });
    },
    onError: (error) => showFailure(HOURS_WAIVER.restoreFailedTitle, error, ADMIN_COMMON.refused),
  });
}

function pathOf(campaignId: number): string {
  return `/api/admin/campaigns/${campaignId}/hours-waiver`;
}

function useRefresh(campaignId: number) {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: ["/api/admin/campaigns", campaignId] });
}
