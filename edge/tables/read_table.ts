/** Reads a spreadsheet file, CSV or XLSX, row by row with bounded memory. */
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { CsvRows, detectCsvShape, MAX_COLUMNS } from "./csv_rows.ts";
import { type DecodedText, decodeText } from "./decode_text.ts";
import type { TableRow } from "./table_row.ts";
import { TableRefusal } from "./table_refusal.ts";
import { tableKind } from "./table_kind.ts";
import { type SheetChoice, workbookCsv } from "./workbook_csv.ts";
import type { Sheet } from "./workbook.ts";

/** Bytes of one CSV row between two checks of the clock. */
const BYTES_A_LOOK = 64 * 1024;
const ROWS_A_LOOK = 256;
/** A field may be as long as its file. */
const MAX_FIELD_BYTES = 4 * 1024;

export interface TableOptions extends SheetChoice {
  yieldToEventLoop?: YieldToEventLoop;
}

export interface TableText {
  kind: "csv" | "xlsx";
  /** CSV in UTF-8 without a byte order mark. */
  csv: Uint8Array;
  /** How the text was encoded; null for a workbook. */
  encoding: DecodedText["encoding"] | null;
  /** Empty for text. */
  sheets: readonly Sheet[];
  /** The sheet that was read; null for text. */
  sheet: number | null;
}

/**
 * Decodes a file, or one sheet of a workbook, to CSV in UTF-8. Line n of it is row n of the table.
 *
 * @throws {TableRefusal} with its reason
 */
export async function tableText(file: Uint8Array, options: TableOptions = {}): Promise<TableText> {
  const { yieldToEventLoop = createYieldToEventLoop() } = options;
  const kind = tableKind(file);
  if (kind === "xlsx") return { kind, encoding: null, ...await workbookCsv(file, yieldToEventLoop, options) };
  const decoded = await decodeText(file, yieldToEventLoop);
  if (decoded === null) throw new TableRefusal("not_a_table");
  return { kind, csv: decoded.text, encoding: decoded.encoding, sheets: [], sheet: null };
}

/**
 * Yields the rows of a file that are not blank.
 *
 * @throws {TableRefusal} with its reason
 */
export async function* readTable(file: Uint8Array, options: TableOptions = {}): AsyncGenerator<TableRow> {
  const { yieldToEventLoop = createYieldToEventLoop() } = options;
  const { csv } = await tableText(file, { ...options, yieldToEventLoop });
  yield* readCsvRows(csv, yieldToEventLoop);
}

/** Yields the rows of CSV in UTF-8 that are not blank; fields beyond the first 500 are left out. */
export async function* readCsvRows(
  csv: Uint8Array,
  yieldToEventLoop: YieldToEventLoop = createYieldToEventLoop(),
): AsyncGenerator<TableRow> {
  const rows = new CsvRows(csv, detectCsvShape(csv));
  for (let read = 0; rows.next(BYTES_A_LOOK);) {
    if (!rows.isWhole) {
      await yieldToEventLoop();
      continue;
    }
    if (!rows.isBlank) {
      const cells = Array.from(
        { length: Math.min(rows.fieldCount, MAX_COLUMNS) },
        (_, field) => rows.text(field, MAX_FIELD_BYTES),
      );
      while (cells.at(-1) === "") cells.pop();
      yield { rowNumber: rows.row, cells };
    }
    if (++read % ROWS_A_LOOK === 0) await yieldToEventLoop();
  }
}
