/** Reads and writes days in the Israeli form, day before month, independent of the browser's language. */

export const DAY = {
  example: "31.12.2026",
  unreadable: "נא לכתוב תאריך: יום, חודש ושנה, למשל 31.12.2026",
};

/** Accepts a comma too: some phone keypads have no other separator. */
const TYPED = /^(\d{1,2})[.,/\-\s](\d{1,2})[.,/\-\s](\d{4})$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Invisible marks that pasted text may contain. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns "2026-02-01" for "1.2.2026", "01/02/2026" or itself; undefined for an invalid day. */
export function readDay(typed: string): string | undefined {
  const text = typed.replace(DIRECTION_MARKS, "").trim();
  const parts = TYPED.exec(text)?.slice(1) ?? ISO.exec(text)?.slice(1).reverse();
  if (!parts) return undefined;
  const [day, month, year] = parts;
  const iso = `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`;
  const at = Date.parse(`${iso}T00:00:00Z`);
  // Date would turn the 31st of a shorter month into a day of the next month.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso) ? iso : undefined;
}

/** Returns "1.2.2026" for "2026-02-01". */
export function writeDay(iso: string): string {
  return iso.split("-").map(Number).reverse().join(".");
}
