import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { SHELL } from "../text/shell.ts";
import { BusyButton } from "./busy_button.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogFoot } from "./dialog_foot.tsx";
import { Field } from "./field.tsx";

interface ConfirmDialogProps {
  /** The question. */
  title: string;
  /** The effect, with numbers. */
  children: ReactNode;
  /** The verb on the main button. */
  confirm: string;
  busyText: string;
  busy: boolean;
  isDestructive?: boolean;
  /** Whether the button that changes nothing has the focus first. @default isDestructive */
  isCareful?: boolean;
  /** A word that must be typed before the action. */
  word?: string;
  /** Text of the button that changes nothing. @default "ביטול" */
  leave?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Asks before an action and shows its effect first; a verb names the main button. In a destructive question the button
 * that changes nothing has the focus: a second Enter must not confirm what the first one asked.
 */
export function ConfirmDialog(
  {
    title,
    children,
    confirm,
    busyText,
    busy,
    isDestructive = true,
    isCareful = isDestructive,
    word,
    leave,
    onConfirm,
    onClose,
  }: ConfirmDialogProps,
) {
  const effectId = useId();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (word === undefined || typed.trim() === word) return onConfirm();
    setWrong(true);
    field.current?.focus();
  }

  return (
    <Dialog title={title} describedBy={effectId} onClose={onClose}>
      <div id={effectId} className="text-sm">{children}</div>
      <form noValidate onSubmit={submit}>
        {word !== undefined && (
          <div className="mt-4">
            <Field
              label={SHELL.typeWord(word)}
              error={isWrong ? SHELL.wrongWord(word) : undefined}
              inputRef={field}
              autoComplete="off"
              value={typed}
              onChange={(value) => {
                setTyped(value);
                setWrong(false);
              }}
            />
          </div>
        )}
        <DialogFoot leave={leave} onLeave={onClose} isLeaveFirst={isCareful}>
          <BusyButton
            type="submit"
            className={isDestructive ? "btn-error" : "btn-primary"}
            busy={busy}
            busyText={busyText}
          >
            {confirm}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
