import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiRequest } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { IMPORTS } from "./text/imports.ts";

/** Takes out of an unsent campaign what one import added; calls `onDone` after success or failure. */
export function useTakeOutImport(campaignId: number, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (importId: number) =>
      apiRequest("DELETE", `/api/campaigns/${campaignId}/imports/${importId}`),
    // The list and the total show the result; a toast would repeat them.
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ["/api/campaigns"], exact: true }),
        cache.invalidateQueries({ queryKey: ["/api/campaigns", campaignId] }),
      ]),
    onError: (error) => showFailure(IMPORTS.failedTitle, error, IMPORTS.failed),
    onSettled: onDone,
  });
}
