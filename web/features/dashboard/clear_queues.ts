import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { QueuesCleared } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { RESET } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

/** Clears the queues of every client and reports the effect; calls `onDone` after success or failure. */
export function useClearQueues(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<QueuesCleared>("POST", "/api/admin/queues/clear"),
    onSuccess: ({ message, messageQueueCleared, campaignQueueCleared }) => {
      const description = message || RESET.done(messageQueueCleared, campaignQueueCleared);
      showToast({ title: RESET.doneTitle, description, tone: "ok" });
      return cache.invalidateQueries();
    },
    // A modal dialog covers the toasts, so it closes either way.
    onSettled: onDone,
    onError: (error) => showFailure(RESET.failedTitle, error, RESET.failed),
  });
}
