import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { MadeKey, MakeKeyRequest } from "shared/keys_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { withProof } from "../../data/with_proof.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { keysQuery } from "./get_keys.ts";
import { KEYS, MAKE_KEY } from "./text.ts";

export interface KeyAct {
  act: "confirm" | "revoke";
  id: number;
}

const DONE = { confirm: KEYS.confirmed, revoke: KEYS.revoked };

/** Confirms or revokes a key, then reads the list again. Calls `onDone` after success or failure. */
export function useChangeKey(onDone: () => void = () => {}) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ act, id }: KeyAct) =>
      act === "revoke"
        ? apiRequest("DELETE", `/api/keys/${id}`)
        : withProof((proof) => apiRequest("POST", `/api/keys/${id}/confirm`, { body: { ...proof } })),
    onSuccess: (_, { act }) => {
      showToast({ title: DONE[act], tone: "ok" });
    },
    onError: (error) => showFailure(KEYS.failedAct, error, KEYS.failedActBody),
    onSettled: unlessDeclined(() => {
      onDone();
      return cache.invalidateQueries({ queryKey: keysQuery.queryKey });
    }),
  });
}

/** Makes a key; `onMade` gets its text, which is shown once. */
export function useMakeKey(onMade: (made: MadeKey) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (asked: Omit<MakeKeyRequest, "proof">) =>
      withProof((proof) =>
        apiJson<MadeKey>("POST", "/api/keys", { body: { ...asked, ...proof }, once: true })
      ),
    onSuccess: (made) => {
      onMade(made);
      return cache.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
    onError: (error) => showFailure(MAKE_KEY.failed, error, KEYS.failedActBody),
  });
}
