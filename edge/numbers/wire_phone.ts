/** Converts between "+972…" on the wire and the stored digits. */

/** "+972543710968" → 972543710968. */
export function toDigits(phone: string): number {
  return Number(phone.slice(1));
}

/** 972543710968 → "+972543710968". */
export function toWirePhone(digits: unknown): string {
  return `+${digits}`;
}
