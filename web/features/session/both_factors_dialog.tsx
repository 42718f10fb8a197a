import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { RecoveryCodes } from "shared/http_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { SESSION_RENEWAL } from "../../data/query_client.ts";
import { SECOND_FACTOR } from "./text/second_factor.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { CodeField, PasswordField, Refusal } from "./factor_fields.tsx";
import { secondFactorQuery } from "./get_second_factor.ts";
import { RecoveryCodeList } from "./recovery_code_list.tsx";

interface FactorDialogProps {
  username: string;
  onClose: () => void;
}

interface BothFactors extends Record<string, unknown> {
  password: string;
  code: string;
}

/** Turns the second factor off. */
export function TurnOffDialog({ username, onClose }: FactorDialogProps) {
  const cache = useQueryClient();
  const turnOff = useMutation({
    mutationKey: SESSION_RENEWAL,
    onMutate: () => cache.cancelQueries(),
    mutationFn: (body: BothFactors) => apiRequest("DELETE", "/api/auth/second-factor", { body }),
    onSuccess: () => {
      showToast({ title: SECOND_FACTOR.offDoneTitle, tone: "ok" });
      onClose();
    },
  });
  return (
    <Dialog title={SECOND_FACTOR.offTitle} onClose={onClose}>
      <BothFactorsForm
        effect={SECOND_FACTOR.offEffect}
        act={SECOND_FACTOR.turnOff}
        busyText={SECOND_FACTOR.turningOff}
        tone="btn-error"
        username={username}
        call={turnOff}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** Replaces all earlier recovery codes. */
export function RenewDialog({ username, onClose }: FactorDialogProps) {
  const cache = useQueryClient();
  const renew = useMutation({
    mutationFn: (body: BothFactors) =>
      apiJson<RecoveryCodes>("POST", "/api/auth/second-factor/codes", { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
  });
  return (
    <Dialog title={renew.data ? SECOND_FACTOR.codesTitle : SECOND_FACTOR.renewTitle} onClose={onClose}>
      {renew.data
        ? <RecoveryCodeList username={username} codes={renew.data.recoveryCodes} onClose={onClose} />
        : (
          <BothFactorsForm
            effect={SECOND_FACTOR.renewEffect}
            act={SECOND_FACTOR.renew}
            busyText={SECOND_FACTOR.renewing}
            tone="btn-primary"
            username={username}
            call={renew}
            onClose={onClose}
          />
        )}
    </Dialog>
  );
}

interface BothFactorsFormProps extends FactorDialogProps {
  effect: string;
  act: string;
  busyText: string;
  tone: "btn-error" | "btn-primary";
  call: { mutate: (body: BothFactors) => void; isPending: boolean; error: Error | null };
}

/** Asks for password and code before an action, and shows its effect first. */
function BothFactorsForm(
  { effect, act, busyText, tone, username, call, onClose }: BothFactorsFormProps,
) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!call.isPending) call.mutate({ password, code });
  }
  return (
    <>
      <p className="mb-4 text-sm">{effect}</p>
      <form onSubmit={submit}>
        <div className="flex flex-col gap-4">
          <PasswordField username={username} value={password} error={call.error} onChange={setPassword} />
          <CodeField
            label={SECOND_FACTOR.code}
            hint={SECOND_FACTOR.codeHint}
            value={code}
            error={call.error}
            onChange={setCode}
          />
        </div>
        <Refusal error={call.error} />
        <DialogFoot onLeave={onClose}>
          <BusyButton type="submit" className={tone} busy={call.isPending} busyText={busyText}>
            {act}
          </BusyButton>
        </DialogFoot>
      </form>
    </>
  );
}
