import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SuppressionsAdded } from "shared/suppressions_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { removedSentence, SUPPRESSIONS } from "./text/admin_suppressions.ts";
import { type Failure, failureOf, showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { withProof } from "../../data/with_proof.ts";
import { SUPPRESSIONS_KEY } from "./get_suppressions.ts";

/** Adds pasted numbers or a file's; the box itself shows the result, and why it failed. */
export function useAddSuppressions(onAdded: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (source: string | File) =>
      typeof source === "string"
        ? apiJson<SuppressionsAdded>("POST", "/api/suppressions", { body: { numbers: source }, once: true })
        : apiJson<SuppressionsAdded>("POST", "/api/suppressions/file", { body: formOf(source), once: true }),
    onSuccess: () => {
      onAdded();
      return cache.invalidateQueries({ queryKey: SUPPRESSIONS_KEY });
    },
  });
}

/** Returns why numbers were not added, for the box they came from. */
export function addFailure(error: unknown): Failure | undefined {
  return error ? failureOf(SUPPRESSIONS.addFailedTitle, error, SUPPRESSIONS.addFailed) : undefined;
}

/** Removes numbers from the list; calls `onDone` after success or failure, unless the proof is declined. */
export function useRemoveSuppressions(onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ids: number[]) =>
      withProof((proof) =>
        apiJson<{ removed: number }>("DELETE", "/api/suppressions", { body: { ids, ...proof } })
      ),
    onSuccess: ({ removed }) => {
      showToast({ title: SUPPRESSIONS.removedTitle, description: removedSentence(removed), tone: "ok" });
      return cache.invalidateQueries({ queryKey: SUPPRESSIONS_KEY });
    },
    onError: (error) => showFailure(SUPPRESSIONS.removeFailedTitle, error, SUPPRESSIONS.removeFailed),
    onSettled: unlessDeclined(onDone),
  });
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.set("file", file);
  return form;
}
