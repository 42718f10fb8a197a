import { useMutation } from "@tanstack/react-query";
import type { OptOut } from "shared/replies_api.ts";
import { ApiError, apiJson, apiRequest } from "../../data/api_client.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { OPT_OUTS } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

const PATH = "/api/admin/opt-outs";

/**
 * Finds the clients whose messages a number refused. It runs on a button press, never while typing, so numbers are
 * not probed.
 */
export function useFindOptOuts() {
  return useMutation({
    mutationFn: (number: string) =>
      apiJson<{ items: OptOut[] }>("POST", `${PATH}/search`, { body: { q: number } }),
    onError(error) {
      if (numberProblem(error) === undefined) {
        showFailure(OPT_OUTS.findFailedTitle, error, ADMIN_COMMON.refused);
      }
    },
  });
}

/** Returns the server's sentence about an invalid number; undefined for other failures. */
export function numberProblem(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === "invalid_input" ? error.serverText : undefined;
}

/** Allows a client to message a number again; calls `onSettled` after success or failure. */
export function useUndoOptOut(onSettled: () => void) {
  return useMutation({
    mutationFn: ({ id, reason }: { id: number; reason: string }) =>
      apiRequest("DELETE", `${PATH}/${id}`, { body: { reason } }),
    onSuccess: () => showToast({ title: OPT_OUTS.doneTitle, description: OPT_OUTS.done, tone: "ok" }),
    // A modal dialog covers the toasts, so it closes either way.
    onSettled,
    onError: (error) => showFailure(OPT_OUTS.failedTitle, error, ADMIN_COMMON.refused),
  });
}
