/** Reads and writes days in the Israeli form, day before month, independent of the browser's language. */

export const DAY = {
  /** In the past, as the days that are asked for are. */
  example: "31.12.2024",
  unreadable: "נא לכתוב תאריך: יום, חודש ושנה, למשל 31.12.2024 או 31 בדצמבר 2024",
  choose: "בחירה בלוח שנה",
};

/** Accepts a comma too: some phone keypads have no other separator. */
const TYPED = /^(\d{1,2})[.,/\-\s]+(\d{1,2})[.,/\-\s]+(\d{4}|\d{2})$/;
const NAMED = /^(\d{1,2})\s*(?:ב[\-־]?)?([א-ת]{3,7})[,\s]\s*(\d{4}|\d{2})$/;
const MONTHS = [
  "ינואר",
  "פברואר",
  "מרץ",
  "אפריל",
  "מאי",
  "יוני",
  "יולי",
  "אוגוסט",
  "ספטמבר",
  "אוקטובר",
  "נובמבר",
  "דצמבר",
];
/** Other spellings. */
const SPELLINGS: Record<string, string> = { מרס: "מרץ", אוגסט: "אוגוסט" };
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Invisible marks that pasted text may contain. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns "2026-02-01" for "1.2.2026", "01/02/26", "1 בפברואר 2026" or itself; undefined for an invalid day. Two digits
 * of a year are of this century. "היום", "אתמול", "מחר" and "מחרתיים" count from `today`, yyyy-mm-dd.
 */
export function readDay(typed: string, today?: string): string | undefined {
  const text = typed.replace(DIRECTION_MARKS, "").trim();
  if (today !== undefined && text === "היום") return today;
  if (today !== undefined && text === "אתמול") return dayFrom(today, -1);
  if (today !== undefined && text === "מחר") return dayFrom(today, 1);
  if (today !== undefined && text === "מחרתיים") return dayFrom(today, 2);
  const parts = TYPED.exec(text)?.slice(1) ?? ISO.exec(text)?.slice(1).reverse() ?? partsOfNamed(text);
  if (!parts) return undefined;
  const [day, month] = parts;
  const year = parts[2]!.length === 2 ? `20${parts[2]}` : parts[2];
  const iso = `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`;
  const at = Date.parse(`${iso}T00:00:00Z`);
  // Date would turn the 31st of a shorter month into a day of the next month.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso) ? iso : undefined;
}

/** Returns "1.2.2026" for "2026-02-01". */
export function writeDay(iso: string): string {
  return iso.split("-").map(Number).reverse().join(".");
}

function partsOfNamed(text: string): string[] | undefined {
  const [, day, name, year] = NAMED.exec(text) ?? [];
  const month = MONTHS.indexOf(SPELLINGS[name!] ?? name!) + 1;
  return month === 0 ? undefined : [day!, String(month), year!];
}

function dayFrom(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * 24 * 60 * 60_000).toISOString().slice(0, 10);
}
