import { type ReactNode, useId } from "react";
import { BusyButton } from "./busy_button.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogFoot } from "./dialog_foot.tsx";

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
  /** Text of the button that changes nothing. @default "ביטול" */
  leave?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an action and shows its effect first; a verb names the main button. */
export function ConfirmDialog(
  { title, children, confirm, busyText, busy, isDestructive = true, leave, onConfirm, onClose }:
    ConfirmDialogProps,
) {
  const effectId = useId();
  return (
    <Dialog title={title} describedBy={effectId} onClose={onClose}>
      <div id={effectId} className="text-sm">{children}</div>
      <DialogFoot leave={leave} onLeave={onClose}>
        <BusyButton
          className={isDestructive ? "btn-error" : "btn-primary"}
          busy={busy}
          busyText={busyText}
          onClick={onConfirm}
        >
          {confirm}
        </BusyButton>
      </DialogFoot>
    </Dialog>
  );
}
