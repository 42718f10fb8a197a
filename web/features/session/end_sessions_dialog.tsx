import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { apiRequest } from "../../data/api_client.ts";
import { SESSION_RENEWAL } from "../../data/query_client.ts";
import { ACCOUNT } from "./text/account.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { PasswordField, Refusal } from "./factor_fields.tsx";

interface EndSessionsDialogProps {
  username: string;
  /** Number of sessions that it ends. */
  others: number;
  onClose: () => void;
}

/** Asks for the password before the other sessions end, and shows their number. */
export function EndSessionsDialog({ username, others, onClose }: EndSessionsDialogProps) {
  const cache = useQueryClient();
  const [password, setPassword] = useState("");
  const end = useMutation({
    mutationKey: SESSION_RENEWAL,
    onMutate: () => cache.cancelQueries(),
    mutationFn: (password: string) => apiRequest("DELETE", "/api/auth/sessions", { body: { password } }),
    onSuccess: () => {
      showToast({ title: ACCOUNT.endedTitle, tone: "ok" });
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!end.isPending) end.mutate(password);
  }
  return (
    <Dialog title={ACCOUNT.endTitle} onClose={onClose}>
      <p className="mb-4 text-sm">{ACCOUNT.endEffect(others)}</p>
      <form onSubmit={submit}>
        <PasswordField username={username} value={password} error={end.error} onChange={setPassword} />
        <Refusal error={end.error} />
        <DialogFoot onLeave={onClose}>
          <BusyButton type="submit" className="btn-error" busy={end.isPending} busyText={ACCOUNT.ending}>
            {ACCOUNT.endConfirm}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
