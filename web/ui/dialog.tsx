import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  children: ReactNode;
  onClose: () => void;
}

/** A native modal dialog, open for as long as it is rendered: the browser keeps focus in and gives it back. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog ref={dialog} className="modal" aria-labelledby={titleId} onClose={onClose}>
      <div className="modal-box max-w-md">
        <h2 id={titleId} className="mb-3 text-lg font-bold">{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
