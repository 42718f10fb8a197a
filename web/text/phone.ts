/** "+972543710968" → "054-371-0968"; numbers from elsewhere are shown in international form, in groups. */
export function formatPhone(e164: string): string {
  const local = e164.startsWith("+972") ? `0${e164.slice(4)}` : undefined;
  if (local?.length === 10) return `${local.slice(0, 3)}-${local.slice(3, 6)}-${local.slice(6)}`;
  if (local?.length === 9) return `${local.slice(0, 2)}-${local.slice(2, 5)}-${local.slice(5)}`;
  return e164;
}
