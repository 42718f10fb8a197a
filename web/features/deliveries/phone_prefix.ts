/** Returns the digits to search for, in the server's international form: "054-37" → "9725437". */
export function phonePrefix(typed: string): string {
  const digits = typed.replace(/\D/g, "");
  return digits.startsWith("0") ? `972${digits.slice(1)}` : digits;
}
