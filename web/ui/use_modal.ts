import { type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "./lost_focus.ts";

/**
 * Opens a dialog element as a modal one for as long as it is rendered: the browser keeps the focus in. Where the
 * focus was is remembered here, since a dialog that leaves the page unclosed takes the browser's memory with it.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      // A screen that came in its place has the focus on its heading by now, or takes it there next.
      const isLost = isFocusLost() || element.contains(document.activeElement);
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return dialog;
}
