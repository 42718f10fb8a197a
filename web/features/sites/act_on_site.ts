import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiRequest } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { SITES } from "../../text/admin_sites.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { withProof } from "../../data/with_proof.ts";

export type SiteAct = "revoke" | "start" | "write-off" | "ask-rehearsals" | "skip-rehearsals";

const WORDS: Record<SiteAct, { done: string; failed: string }> = {
  revoke: { done: SITES.revokedTitle, failed: SITES.revokeFailedTitle },
  start: { done: SITES.startedTitle, failed: SITES.startFailedTitle },
  "write-off": { done: SITES.writtenOffTitle, failed: SITES.writeOffFailedTitle },
  "ask-rehearsals": { done: SITES.askedRehearsalsTitle, failed: SITES.rehearsalsFailedTitle },
  "skip-rehearsals": { done: SITES.skippedRehearsalsTitle, failed: SITES.rehearsalsFailedTitle },
};

/**
 * Revokes a site, starts a stopped one, stops waiting for its missing outcomes, or sets whether it asks for
 * rehearsals; calls `onDone` unless the proof is declined.
 */
export function useActOnSite(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act }: { id: number; act: SiteAct }) =>
      act === "ask-rehearsals" || act === "skip-rehearsals"
        ? apiRequest("POST", `/api/admin/sites/${id}/rehearsals`, {
          body: { asks: act === "ask-rehearsals" },
        })
        : withProof((proof) => apiRequest("POST", `/api/admin/sites/${id}/${act}`, { body: proof })),
    onSuccess: (_answer, { act }) => {
      showToast({ title: WORDS[act].done, tone: "ok" });
      return cache.invalidateQueries();
    },
    // A modal dialog covers the toasts, so it closes either way.
    onSettled: unlessDeclined(onDone),
    onError: (error, { act }) => showFailure(WORDS[act].failed, error, SITES.actionFailed),
  });
}
