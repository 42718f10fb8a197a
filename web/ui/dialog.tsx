import { type ReactNode, useId } from "react";
import { useModal } from "./use_modal.ts";

interface DialogProps {
  title: string;
  /** The id of what is read after the title: what the act does. */
  describedBy?: string;
  children: ReactNode;
  onClose: () => void;
}

/** A question or a form over the page, open for as long as it is rendered. */
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
