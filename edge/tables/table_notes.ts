import type { TableNote } from "shared/staged_api.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { CsvRows, type CsvShape, MAX_COLUMNS } from "./csv_rows.ts";
import type { TableText } from "./read_table.ts";

const BYTES_A_LOOK = 64 * 1024;
const ROWS_A_LOOK = 256;
const SEMICOLON = 0x3b;
const TAB = 0x09;
const QUOTE = 0x22;

/** Returns what is worth saying about a text file that was read: its encoding, its separator, a quote that stays open. */
export async function textNotes(
  { csv, encoding }: Pick<TableText, "csv" | "encoding">,
  shape: CsvShape,
  yieldToEventLoop: YieldToEventLoop,
): Promise<TableNote[]> {
  const notes: TableNote[] = [];
  if (encoding !== null && encoding !== "utf_8") notes.push(encoding);
  if (shape.delimiter === SEMICOLON) notes.push("semicolons");
  if (shape.delimiter === TAB) notes.push("tabs");
  if (await hasOpenQuote(csv, shape, yieldToEventLoop)) notes.push("open_quote");
  return notes;
}

/** Returns whether a field begins with a quote that does not close: it is read as an ordinary sign. */
async function hasOpenQuote(
  csv: Uint8Array,
  shape: CsvShape,
  yieldToEventLoop: YieldToEventLoop,
): Promise<boolean> {
  if (!csv.includes(QUOTE)) return false;
  const rows = new CsvRows(csv, shape);
  for (let read = 0; rows.next(BYTES_A_LOOK);) {
    if (rows.isWhole) {
      const fields = Math.min(rows.fieldCount, MAX_COLUMNS);
      for (let field = 0; field < fields; field++) {
        const [from, to] = [rows.start(field), rows.end(field)];
        if (csv[from] === QUOTE && from < to && (to - from === 1 || csv[to - 1] !== QUOTE)) return true;
      }
      if (++read % ROWS_A_LOOK > 0) continue;
    }
    await yieldToEventLoop();
  }
  return false;
}
