/** Files for a spreadsheet. */

/** Without it Excel takes UTF-8 for the system's code page, and Hebrew comes out as gibberish. */
export const BYTE_ORDER_MARK = "\ufeff";

/** One line, its end included. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** What tells a browser to keep the answer as a file. `name` is of plain letters. */
export function csvHeaders(name: string): Record<string, string> {
  return {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

/** The local date and time, as a spreadsheet reads them: 2026-11-22 10:00:00. */
export function csvTime(at: number | null): string {
  return at === null ? "" : localTime.format(at);
}

/** "+972543710968" → "054-371-0968": the dashes keep a spreadsheet from dropping the leading zero. */
export function csvPhone(phone: string): string {
  const match = /^\+972(\d{1,2})(.{3})([\d•]{4})$/.exec(phone);
  return match ? `0${match[1]}-${match[2]}-${match[3]}` : phone;
}

/** What a spreadsheet may take for the beginning of a formula (OWASP, CSV injection), full-width signs included. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same within a cell, after a character that may end one: a spreadsheet that separates by semicolons or tabs takes
 * our quotes for ordinary characters, since they don't stand at the beginning of what it calls a cell.
 */
const FORMULA_WITHIN = /[;,\t]"*(?=[=+\-@\t\r\n＝＋－＠])|[\r\n]"*(?=[=+\-@\t＝＋－＠])/g;

/** Quoted, and never the beginning of a formula, whatever separates cells where it is opened. */
function cell(text: string): string {
  const within = text.replace(FORMULA_WITHIN, "$&'");
  const harmless = FORMULA_START.test(within) ? `'${within}` : within;
  return `"${harmless.replaceAll('"', '""')}"`;
}

const localTime = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Jerusalem",
  dateStyle: "short",
  timeStyle: "medium",
});
