import type { ReactNode } from "react";
import { ACTS } from "../text/acts.ts";

interface DialogFootProps {
  /** The dialog's action, first in the row. */
  children: ReactNode;
  /** @default "ביטול" */
  leave?: string;
  onLeave: () => void;
  /** Whether the button that leaves has the focus when the dialog opens. */
  isLeaveFirst?: boolean;
  className?: string;
}

/** The last line of a dialog: its action, and the button that leaves it. */
export function DialogFoot(
  { children, leave = ACTS.cancel, onLeave, isLeaveFirst = false, className = "mt-5" }: DialogFootProps,
) {
  return (
    <div className={`flex flex-wrap gap-2 ${className}`}>
      {children}
      <button
        type="button"
        className="btn btn-ghost border-base-300"
        data-focus-first={isLeaveFirst || undefined}
        onClick={onLeave}
      >
        {leave}
      </button>
    </div>
  );
}
