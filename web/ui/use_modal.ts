import { type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "./lost_focus.ts";

/**
 * Opens a dialog element as modal while it is rendered, and focuses the element marked `data-focus-first`, if there
 * is one; the browser keeps the focus inside. The hook remembers the
 * earlier focus: a dialog that is removed without a close loses the browser's own record.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    element.showModal();
    // The browser focuses the first control, which is the action in a question with its effect.
    element.querySelector<HTMLElement>("[data-focus-first]")?.focus();
    return () => {
      element.close();
      // A screen that replaced the page has its heading focused already, or focuses it next.
      const isLost = isFocusLost() || element.contains(document.activeElement);
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return dialog;
}
