import { useEffect, useRef } from "react";
import { isFocusLost } from "../../ui/lost_focus.ts";
import type { AlertCause } from "./get_alerts.ts";

/**
 * Moves the focus after a cause and its button left the list of open causes, or returned to it: to the row of the same
 * cause, else to the next row, else to the container. It does not move a focus that is elsewhere. Rows carry
 * `data-cause`.
 */
export function useCauseInFocus<Container extends HTMLElement>(open: readonly AlertCause[] | undefined) {
  const container = useRef<Container>(null);
  const left = useRef<{ cause: string; wasOpen: boolean; next: string | undefined }>(undefined);
  const placeOf = (cause: string) => open?.findIndex((one) => one.cause === cause) ?? -1;
  useEffect(() => {
    const { current: changed } = left;
    if (!changed || !open || (placeOf(changed.cause) !== -1) === changed.wasOpen) return;
    left.current = undefined;
    if (!isFocusLost()) return;
    const linkOf = (cause: string | undefined) =>
      container.current?.querySelector<HTMLElement>(`[data-cause="${cause}"] a`);
    (linkOf(changed.cause) ?? linkOf(changed.next) ?? container.current)?.focus();
  });
  function changing(cause: string) {
    const at = placeOf(cause);
    left.current = { cause, wasOpen: at !== -1, next: open?.[at + 1]?.cause };
  }
  return { container, changing };
}
