import { errorText } from "../../text/error_text.ts";
import { REACHED } from "./text/reached.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";

interface ReachedDialogProps {
  /** The refusal, whose sentence has the count. */
  refusal: unknown;
  onChoose: (reached: "leave_out" | "send") => void;
  onClose: () => void;
}

/** Asks what is done with contacts whom the lost time of a restored database has reached. */
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
