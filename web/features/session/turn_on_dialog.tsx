import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { BegunSecondFactor, RecoveryCodes } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { SESSION_RENEWAL } from "../../data/query_client.ts";
import { SECOND_FACTOR } from "./text/second_factor.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { CopyField } from "../../ui/copy_field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { CodeField, PasswordField, Refusal, StepLead } from "./factor_fields.tsx";
import { QrPicture } from "./qr_picture.tsx";
import { RecoveryCodeList } from "./recovery_code_list.tsx";

interface TurnOnDialogProps {
  username: string;
  onClose: () => void;
}

/** Turns the second factor on in three steps: password, first code, recovery codes. */
export function TurnOnDialog({ username, onClose }: TurnOnDialogProps) {
  const [begun, setBegun] = useState<BegunSecondFactor>();
  const [codes, setCodes] = useState<string[]>();
  // One dialog for all steps: a dialog that is replaced would report its close after the next one opened.
  return (
    <Dialog title={codes ? SECOND_FACTOR.codesTitle : SECOND_FACTOR.onTitle} onClose={onClose}>
      {codes
        ? <RecoveryCodeList username={username} codes={codes} onClose={onClose} />
        : begun
        ? <FirstCode begun={begun} onDone={setCodes} onClose={onClose} />
        : <Begin username={username} onDone={setBegun} onClose={onClose} />}
    </Dialog>
  );
}

interface BeginProps extends TurnOnDialogProps {
  onDone: (begun: BegunSecondFactor) => void;
}

function Begin({ username, onDone, onClose }: BeginProps) {
  const [password, setPassword] = useState("");
  const begin = useMutation({
    mutationFn: (password: string) =>
      apiJson<BegunSecondFactor>("POST", "/api/auth/second-factor", { body: { password } }),
    onSuccess: onDone,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!begin.isPending) begin.mutate(password);
  }
  return (
    <>
      <p className="mb-4 text-sm">{SECOND_FACTOR.onEffect}</p>
      <form onSubmit={submit}>
        <PasswordField username={username} value={password} error={begin.error} onChange={setPassword} />
        <Refusal error={begin.error} />
        <DialogFoot onLeave={onClose}>
          <BusyButton
            type="submit"
            className="btn-primary"
            busy={begin.isPending}
            busyText={SECOND_FACTOR.checking}
          >
            {SECOND_FACTOR.next}
          </BusyButton>
        </DialogFoot>
      </form>
    </>
  );
}

interface FirstCodeProps {
  begun: BegunSecondFactor;
  onDone: (codes: string[]) => void;
  onClose: () => void;
}

function FirstCode({ begun, onDone, onClose }: FirstCodeProps) {
  const cache = useQueryClient();
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationKey: SESSION_RENEWAL,
    onMutate: () => cache.cancelQueries(),
    mutationFn: (code: string) =>
      apiJson<RecoveryCodes>("POST", "/api/auth/second-factor/confirm", { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!confirm.isPending) confirm.mutate(code);
  }
  return (
    <>
      <StepLead>{SECOND_FACTOR.scan}</StepLead>
      <QrPicture text={begun.uri} label={SECOND_FACTOR.picture} />
      <div className="mt-4">
        <CopyField label={SECOND_FACTOR.key} text={begun.secret.match(/.{1,4}/g)!.join(" ")} />
      </div>
      <a href={begun.uri} className="link text-sm">{SECOND_FACTOR.open}</a>
      <form className="mt-4" onSubmit={submit}>
        <CodeField
          label={SECOND_FACTOR.firstCode}
          hint={SECOND_FACTOR.firstCodeHint}
          inputMode="numeric"
          value={code}
          error={confirm.error}
          onChange={setCode}
        />
        <Refusal error={confirm.error} />
        <DialogFoot onLeave={onClose}>
          <BusyButton
            type="submit"
            className="btn-primary"
            busy={confirm.isPending}
            busyText={SECOND_FACTOR.checking}
          >
            {SECOND_FACTOR.turnOn}
          </BusyButton>
        </DialogFoot>
      </form>
    </>
  );
}
