import { errorText } from "../../text/error_text.ts";
import { REACHED } from "./text/reached.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";

interface ReachedDialogProps {
  /** The server's refusal; its sentence contains the number of contacts. */
  refusal: unknown;
  onChoose: (reached: "leave_out" | "send") => void;
  onClose: () => void;
}

/** Asks how to treat contacts who received a message in the time that a restored database lost. */
export function ReachedDialog({ refusal, onChoose, onClose }: ReachedDialogProps) {
  return (
    <Dialog title={REACHED.title} onClose={onClose}>
      <p className="text-sm">{errorText(refusal, REACHED.title)}</p>
      <DialogFoot onLeave={onClose}>
        <button type="button" className="btn btn-primary" onClick={() => onChoose("leave_out")}>
          {REACHED.leaveOut}
        </button>
        <button type="button" className="btn btn-outline btn-error" onClick={() => onChoose("send")}>
          {REACHED.sendToAll}
        </button>
      </DialogFoot>
    </Dialog>
  );
}
