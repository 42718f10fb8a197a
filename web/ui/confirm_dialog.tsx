import { type ReactNode, useId, useRef, useState } from "react";
import { TYPED_WORD } from "../text/typed_word.ts";
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

  function confirmTyped() {
    if (busy) return;
    if (word === undefined || typed.trim() === word) return onConfirm();
    setWrong(true);
    field.current?.focus();
  }

  return (
    <Dialog title={title} describedBy={effectId} onClose={onClose}>
      <div id={effectId} className="text-sm">{children}</div>
      {/* No form: the question may stand inside one, and its submit would reach that one. */}
      {word !== undefined && (
        <div className="mt-4">
          <Field
            label={TYPED_WORD.label(word)}
            error={isWrong ? TYPED_WORD.wrong(word) : undefined}
            inputRef={field}
            autoComplete="off"
            value={typed}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              confirmTyped();
            }}
            onChange={(value) => {
              setTyped(value);
              setWrong(false);
            }}
          />
        </div>
      )}
      <DialogFoot leave={leave} onLeave={onClose} isLeaveFirst={isCareful}>
        <BusyButton
          className={isDestructive ? "btn-error" : "btn-primary"}
          busy={busy}
          busyText={busyText}
          onClick={confirmTyped}
        >
          {confirm}
        </BusyButton>
      </DialogFoot>
    </Dialog>
  );
}
