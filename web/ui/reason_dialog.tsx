import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import type { ReasonChars } from "shared/reason.ts";
import { BusyButton } from "./busy_button.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogFoot } from "./dialog_foot.tsx";
import { Field } from "./field.tsx";

interface ReasonWords {
  /** The question, and its effect. */
  title: string;
  effect: string;
  /** Label of the field, an example for it, and the text for a too short reason. */
  reason: string;
  reasonHint: string;
  reasonShort: string;
  /** The verb on the button, and its text during the action. */
  confirm: string;
  pending: string;
}

interface ReasonDialogProps extends ReasonChars {
  words: ReasonWords;
  busy: boolean;
  /** Shown before the effect: the person or thing concerned. */
  children?: ReactNode;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks an administrator for a reason before an action that is audited with it. */
export function ReasonDialog(
  { words, least, most, busy, children, onConfirm, onClose }: ReasonDialogProps,
) {
  const [reason, setReason] = useState("");
  const [isShort, setShort] = useState(false);
  const effectId = useId();
  const field = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (reason.trim().length >= least) return onConfirm(reason.trim());
    setShort(true);
    field.current?.focus();
  }

  return (
    <Dialog title={words.title} describedBy={effectId} onClose={onClose}>
      <div id={effectId} className="mb-4">
        {children}
        <p className="text-sm">{words.effect}</p>
      </div>
      <form noValidate onSubmit={submit}>
        <Field
          label={words.reason}
          hint={words.reasonHint}
          error={isShort ? words.reasonShort : undefined}
          inputRef={field}
          maxLength={most}
          value={reason}
          onChange={(value) => {
            setReason(value);
            setShort(false);
          }}
        />
        <DialogFoot onLeave={onClose}>
          <BusyButton type="submit" className="btn-primary" busy={busy} busyText={words.pending}>
            {words.confirm}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
