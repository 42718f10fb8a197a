/** Returns the digits of a WhatsApp jid or a link's number, or null when they cannot be an international number. */
export function numberOf(text: string): string | null {
  const digits = text.replace(/@s\.whatsapp\.net$/, "").replace(/^\+/, "");
  return /^[1-9]\d{6,14}$/.test(digits) ? digits : null;
}

/**
 * Returns a number in the form of a chat's title: with spaces, and between marks that keep it left to right on a Hebrew
 * screen. Israeli mobiles and landlines are grouped as in the app; others in threes.
 */
export function displayNumber(digits: string): string {
  const israeli = /^972(5\d|7\d|[23489])(\d{3})(\d{4})$/.exec(digits);
  const grouped = israeli
    ? `+972 ${israeli[1]}-${israeli[2]}-${israeli[3]}`
    : `+${digits.slice(0, 3)} ${digits.slice(3).replace(/(\d{3})(?=\d{2})/g, "$1 ")}`;
  return `\u202a${grouped}\u202c`;
}
