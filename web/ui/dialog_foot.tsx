import type { ReactNode } from "react";
import { SHELL } from "../text/shell.ts";

interface DialogFootProps {
  /** The act that the dialog asks about, first. */
  children: ReactNode;
  /** @default "ביטול" */
  leave?: string;
  onLeave: () => void;
  className?: string;
}

/** The last line of a dialog: its act, and the way out of it. */
export function DialogFoot({ children, leave = SHELL.cancel, onLeave, className = "mt-5" }: DialogFootProps) {
  return (
    <div className={`flex flex-wrap gap-2 ${className}`}>
      {children}
      <button type="button" className="btn btn-ghost border-base-300" onClick={onLeave}>{leave}</button>
    </div>
  );
}
