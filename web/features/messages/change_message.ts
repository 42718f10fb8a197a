import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Message, PausedMessages } from "shared/messages_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { MESSAGES_KEY } from "./get_messages.ts";
import { MESSAGES } from "./text.ts";

export type ResolveAs = "sent" | "failed" | "resend";

/** Cancels a message; calls `onDone` after success or failure. */
export function useCancelMessage(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => apiJson<Message>("POST", `/api/messages/${id}/cancel`),
    onSuccess: () =>
      showToast({ title: MESSAGES.cancelled, description: MESSAGES.cancelledBody, tone: "ok" }),
    onError: (error) => showFailure(MESSAGES.cancelFailed, error, MESSAGES.failedBody),
    onSettled: () => {
      // A modal dialog covers the toasts, so it closes either way.
      onDone();
      return cache.invalidateQueries({ queryKey: MESSAGES_KEY });
    },
  });
}

/** Records a decision about a message of unknown outcome; calls `onDone` after success or failure. */
export function useResolveMessage(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, as }: { id: number; as: ResolveAs }) =>
      apiJson<Message>("POST", `/api/messages/${id}/resolve`, { body: { as }, once: true }),
    onSuccess: () => showToast({ title: MESSAGES.resolved, tone: "ok" }),
    onError: (error) => showFailure(MESSAGES.resolveFailed, error, MESSAGES.failedBody),
    onSettled: () => {
      onDone();
      return cache.invalidateQueries({ queryKey: MESSAGES_KEY });
    },
  });
}

/** Lets paused messages go on; the reason of a rule was read beside the button. */
export function useResumeMessages() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ carrier, trip }: PausedMessages) =>
      apiRequest("POST", `/api/campaigns/${carrier}/resume`, {
        body: trip === null ? {} : { trip },
        once: true,
      }),
    onSuccess: () => showToast({ title: MESSAGES.resumed, tone: "ok" }),
    onError: (error) => showFailure(MESSAGES.resumeFailed, error, MESSAGES.failedBody),
    onSettled: () => cache.invalidateQueries({ queryKey: MESSAGES_KEY }),
  });
}
