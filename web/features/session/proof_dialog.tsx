import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import type { Proof, User } from "shared/http_api.ts";
import { ApiError } from "../../data/api_client.ts";
import { PROOF } from "./text/proof.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { CodeField, PasswordField, Refusal } from "./factor_fields.tsx";
import { type ProofRequest, readProofRequest, subscribeProofRequest } from "../../data/with_proof.ts";

/** Asks for the password while a call waits for its proof. */
export function ProofDialogs({ user }: { user: User }) {
  const request = useSyncExternalStore(subscribeProofRequest, readProofRequest);
  // Leaving the page declines the open proof request.
  useEffect(() => () => readProofRequest()?.decline(), []);
  return request && <ProofDialog user={user} request={request} />;
}

function ProofDialog({ user, request }: { user: User; request: ProofRequest }) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const prove = useMutation({ mutationFn: (proof: Proof) => request.tryWith(proof) });
  // The second factor may have been turned on elsewhere after this page loaded the user.
  const [needsCode, setNeedsCode] = useState(user.secondFactor);
  const isCodeMissing = prove.error instanceof ApiError && prove.error.code === "second_factor_needed";
  useEffect(() => {
    if (isCodeMissing) setNeedsCode(true);
  }, [isCodeMissing]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!prove.isPending) prove.mutate(needsCode ? { password, code } : { password });
  }

  return (
    <Dialog title={PROOF.title} onClose={request.decline}>
      <p className="mb-4 text-sm">{needsCode ? PROOF.whyBoth : PROOF.why}</p>
      <form onSubmit={submit}>
        <div className="flex flex-col gap-4">
          <PasswordField
            username={user.username}
            value={password}
            error={prove.error}
            onChange={setPassword}
          />
          {needsCode && (
            <CodeField
              label={PROOF.code}
              hint={PROOF.codeHint}
              value={code}
              error={prove.error}
              onChange={setCode}
            />
          )}
        </div>
        <Refusal error={prove.error} />
        <DialogFoot onLeave={request.decline}>
          <BusyButton type="submit" className="btn-primary" busy={prove.isPending} busyText={PROOF.proving}>
            {PROOF.prove}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
