import { useMutation } from "@tanstack/react-query";
import type { Looks } from "shared/looks_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { ProofDeclinedError, unlessDeclined } from "../../data/proof_declined_error.ts";
import { withProof } from "../../data/with_proof.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { LOOKS } from "./text.ts";

interface BeginOptions {
  onBegun: (looks: Looks) => void;
  /** Called after success and failure, but not when the proof is declined. */
  onDone?: () => void;
  /** Called after failure, but not when the proof is declined. */
  onFailed?: () => void;
}

/** Begins looks at phones, with a reason. */
export function useBeginLooks(devices: readonly number[], { onBegun, onDone, onFailed }: BeginOptions) {
  return useMutation({
    mutationFn: (reason: string) =>
      withProof((proof) =>
        apiJson<Looks>("POST", "/api/admin/looks", { body: { devices: [...devices], reason, ...proof } })
      ),
    onSuccess: onBegun,
    onSettled: unlessDeclined(() => onDone?.()),
    onError: (error) => {
      showFailure(LOOKS.beginFailed, error, ADMIN_COMMON.refused);
      if (!(error instanceof ProofDeclinedError)) onFailed?.();
    },
  });
}

/** Says that nobody looks any more. A lost call costs nothing: the look ends by itself. */
export function endLook(look: number): void {
  apiRequest("DELETE", `/api/admin/looks/${look}`, { isLeaving: true }).catch(() => {});
}
