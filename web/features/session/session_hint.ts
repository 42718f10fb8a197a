/** Returns whether the readable hint cookie says that a session may exist. */
export function hasSessionHint(): boolean {
  return /(^|; )(__Host-)?shigur_hint=1(;|$)/.test(document.cookie);
}

/** Deletes the hint, so a logout takes effect here even when the server did not receive it. */
export function clearSessionHint(): void {
  document.cookie = "shigur_hint=; Max-Age=0; Path=/";
  document.cookie = "__Host-shigur_hint=; Max-Age=0; Path=/; Secure";
}
