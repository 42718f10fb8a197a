/** "+972…" as it travels ⇄ the digits as they are stored. */

export function toDigits(phone: string): number {
  return Number(phone.slice(1));
}

export function toWirePhone(digits: unknown): string {
  return `+${digits}`;
}
