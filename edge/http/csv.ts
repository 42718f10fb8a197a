/** Spreadsheet files. */

/** Without it Excel reads UTF-8 as the system's code page, and Hebrew becomes unreadable. */
export const BYTE_ORDER_MARK = "\ufeff";

/** Returns one line with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Returns a whole file. */
export function csvText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + [header, ...rows].map(csvLine).join("");
}

/** Streams a file. `next` returns its next rows; it is called only when the reader asks for more. */
export function csvStream(
  header: readonly string[],
  next: () => Promise<{ rows: string[][]; isLast: boolean }>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(csvText(header, [])));
    },
    async pull(controller) {
      const { rows, isLast } = await next();
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.map(csvLine).join("")));
      if (isLast) controller.close();
    },
  });
}

/** Returns headers that make a browser save the response as a file. `name` has only plain letters. */
export function csvHeaders(name: string): Record<string, string> {
  return {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
}

/** Returns the local date and time in the form that spreadsheets read: 2026-11-22 10:00:00. */
export function csvTime(at: number | null): string {
  return at === null ? "" : localTime.format(at);
}

/** Returns "+972543710968" as "054-371-0968": the dashes keep a spreadsheet from dropping the leading zero. */
export function csvPhone(phone: string): string {
  const match = /^\+972(\d{1,2})(.{3})([\d•]{4})$/.exec(phone);
  return match ? `0${match[1]}-${match[2]}-${match[3]}` : phone;
}

/** Characters that a spreadsheet may take for the beginning of a formula (OWASP, CSV injection), also in full width. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same inside a cell, after a character that may end a cell. A spreadsheet that separates by semicolons or tabs
 * treats our quotes as ordinary characters there, because they are not at the beginning of its cell.
 */
const FORMULA_WITHIN = /[;,\t]"*(?=[=+\-@\t\r\n＝＋－＠])|[\r\n]"*(?=[=+\-@\t＝＋－＠])/g;

/** Returns a quoted cell that never begins a formula, whatever separator the opening program uses. */
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
