import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { QueuesCleared } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { RESET } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

/** Empties the queues of every client and says what that changed; `onDone` follows either way. */
export function useClearQueues(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<QueuesCleared>("POST", "/api/admin/queues/clear"),
    onSuccess: ({ message, messageQueueCleared, campaignQueueCleared }) => {
      const description = message || RESET.done(messageQueueCleared, campaignQueueCleared);
      showToast({ title: RESET.doneTitle, description, tone: "ok" });
      return cache.invalidateQueries();
    },
    // A modal dialog lies above the toasts, so it closes either way.
    onSettled: onDone,
    onError: (error) => showFailure(RESET.failedTitle, error, RESET.failed),
  });
}
