/** The focus of a page from which the button that had it left, with the act it was for. */

/** Whether nothing has the focus; whoever is somewhere is left in peace. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || !activeElement.isConnected;
}

/** Moves the focus to the screen's own heading. */
export function focusHeading(): void {
  const heading = document.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}
