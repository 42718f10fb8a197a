import { type ReactNode, useId } from "react";
import { BusyButton } from "./busy_button.tsx";
import { Dialog } from "./dialog.tsx";
import { DialogFoot } from "./dialog_foot.tsx";

interface ConfirmDialogProps {
  /** The question. */
  title: string;
  /** The effect, in numbers. */
  children: ReactNode;
  /** The verb. */
  confirm: string;
  busyText: string;
  busy: boolean;
  isDestructive?: boolean;
  /** What leaves all as it is. @default "ביטול" */
  leave?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an act, with its effect first; the main act is named by its verb. */
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
