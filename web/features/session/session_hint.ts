/** Whether the readable cookie beside the session cookie says that there is a session to ask about. */
export function hasSessionHint(): boolean {
  return document.cookie.split("; ").includes("shigur_hint=1");
}

/** Forgets the hint, so that a logout the server did not hear still ends here. */
export function clearSessionHint(): void {
  document.cookie = "shigur_hint=; Max-Age=0; Path=/";
}
