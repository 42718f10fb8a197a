/** Whether the readable cookie beside the session cookie says that there is a session to ask about. */
export function hasSessionHint(): boolean {
  return /(^|; )(__Host-)?shigur_hint=1(;|$)/.test(document.cookie);
}

/** Forgets the hint, so that a logout the server did not hear still ends here. */
export function clearSessionHint(): void {
  document.cookie = "shigur_hint=; Max-Age=0; Path=/";
  document.cookie = "__Host-shigur_hint=; Max-Age=0; Path=/; Secure";
}
