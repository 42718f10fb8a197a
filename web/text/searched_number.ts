/** Returns the text that a search for a number sends, as typed; "" when it has no digit, of any script. */
export function searchedNumber(typed: string): string {
  return /\p{Nd}/u.test(typed) ? typed.trim() : "";
}
