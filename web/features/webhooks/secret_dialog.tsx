import { CopyField } from "../../ui/copy_field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { WEBHOOK_FORM } from "./text.ts";

interface SecretDialogProps {
  name: string;
  secret: string;
  body: string;
  onClose: () => void;
}

/** Shows a secret; closing it is the end of its showing. */
export function SecretDialog({ name, secret, body, onClose }: SecretDialogProps) {
  return (
    <Dialog title={WEBHOOK_FORM.madeTitle(name)} onClose={onClose}>
      <p className="mb-4 text-sm">{body}</p>
      <CopyField label={WEBHOOK_FORM.secretLabel} text={secret} />
      <button type="button" className="btn btn-primary mt-4" onClick={onClose}>{WEBHOOK_FORM.done}</button>
    </Dialog>
  );
}
