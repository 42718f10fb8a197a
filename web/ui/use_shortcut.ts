import { useEffect } from "react";

/**
 * Calls `act` on Ctrl or Cmd with a letter key. It compares the key's position, because the same key types another
 * letter on a Hebrew layout (UI Events, KeyboardEvent.code).
 */
export function useShortcut(code: `Key${string}`, act: () => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.code !== code || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      act();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}
