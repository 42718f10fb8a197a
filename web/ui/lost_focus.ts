/** Handles the focus after its button was removed by its own action. */

/** Returns whether no element has the focus; a focus elsewhere must not be moved. */
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
