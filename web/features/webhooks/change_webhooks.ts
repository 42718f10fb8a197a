import { useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  ChangeWebhookRequest,
  MadeWebhook,
  MakeWebhookRequest,
  NewWebhookSecret,
  SentAgain,
  Webhook,
} from "shared/webhooks_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { withProof } from "../../data/with_proof.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { webhooksQuery } from "./get_webhooks.ts";
import { CALLS, WEBHOOK_FORM, WEBHOOKS } from "./text.ts";

export interface WebhookAct {
  act: "pause" | "resume" | "remove" | "test" | "endOld";
  id: number;
}

const DONE: Record<WebhookAct["act"], string> = {
  pause: WEBHOOKS.paused,
  resume: WEBHOOKS.resumed,
  remove: WEBHOOKS.removed,
  test: WEBHOOKS.tested,
  endOld: WEBHOOKS.oldEnded,
};

/** Does one act on a webhook, then reads the list again. Calls `onDone` after success or failure. */
export function useWebhookAct(onDone: () => void = () => {}) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ act, id }: WebhookAct) => {
      const path = `/api/webhooks/${id}`;
      switch (act) {
        case "pause":
          return apiRequest("POST", `${path}/pause`);
        case "resume":
          return withProof((proof) => apiRequest("POST", `${path}/resume`, { body: { ...proof } }));
        case "remove":
          return apiRequest("DELETE", path);
        case "test":
          return apiRequest("POST", `${path}/test`, { once: true });
        case "endOld":
          return apiRequest("DELETE", `${path}/secret`);
      }
    },
    onSuccess: (_, { act }) => {
      showToast({ title: DONE[act], tone: "ok" });
    },
    onError: (error) => showFailure(WEBHOOKS.failedAct, error, WEBHOOKS.failedActBody),
    onSettled: unlessDeclined(() => {
      onDone();
      return cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    }),
  });
}

export type WebhookFields = Omit<MakeWebhookRequest, "proof">;

/** Makes a webhook; `onMade` gets its secret, which is shown once. */
export function useMakeWebhook(onMade: (made: MadeWebhook) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (asked: WebhookFields) =>
      withProof((proof) =>
        apiJson<MadeWebhook>("POST", "/api/webhooks", { body: { ...asked, ...proof }, once: true })
      ),
    onSuccess: (made) => {
      onMade(made);
      return cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
    onError: (error) => showFailure(WEBHOOK_FORM.failed, error, WEBHOOKS.failedActBody),
  });
}

/** Changes a webhook. */
export function useChangeWebhook(id: number, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (asked: Omit<ChangeWebhookRequest, "proof">) =>
      withProof((proof) =>
        apiJson<Webhook>("PATCH", `/api/webhooks/${id}`, { body: { ...asked, ...proof } })
      ),
    onSuccess: () => {
      showToast({ title: WEBHOOK_FORM.saved, tone: "ok" });
      onDone();
      return cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
    onError: (error) => showFailure(WEBHOOK_FORM.failed, error, WEBHOOKS.failedActBody),
  });
}

/** Makes a new secret; `onMade` gets it, and it is shown once. */
export function useRenewSecret(onMade: (made: NewWebhookSecret) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      withProof((proof) =>
        apiJson<NewWebhookSecret>("POST", `/api/webhooks/${id}/secret`, { body: { ...proof }, once: true })
      ),
    onSuccess: (made) => {
      onMade(made);
      return cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
    onError: (error) => showFailure(WEBHOOKS.failedAct, error, WEBHOOKS.failedActBody),
  });
}

/** Sends one call again, or all that did not arrive. */
export function useSendAgain(id: number) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (call: number | "given_up") =>
      call === "given_up"
        ? apiJson<SentAgain>("POST", `/api/webhooks/${id}/again`, {
          body: { from: 0, to: Date.now() + 60_000, which: "given_up" },
          once: true,
        })
        : apiJson<SentAgain>("POST", `/api/webhooks/${id}/calls/${call}/again`, { once: true }),
    onSuccess: ({ calls }) => {
      showToast({ title: CALLS.againDone(calls), tone: "ok" });
    },
    onError: (error) => showFailure(WEBHOOKS.failedAct, error, WEBHOOKS.failedActBody),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: [`/api/webhooks/${id}/calls`] }),
        cache.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
      ]),
  });
}
