import { type ReactNode, useId } from "react";
import { useModal } from "./use_modal.ts";

interface DialogProps {
  title: string;
  /** Id of the description that is read after the title: the effect of the action. */
  describedBy?: string;
  children: ReactNode;
  onClose: () => void;
}

/** A modal question or form, open while it is rendered. */
export function Dialog({ title, describedBy, children, onClose }: DialogProps) {
  const dialog = useModal();
  const titleId = useId();
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onClose={onClose}
    >
      <div className="modal-box max-w-md wrap-break-word">
        <h2 id={titleId} className="mb-3 text-lg font-bold">{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
