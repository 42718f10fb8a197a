/** Reads a contact file, from uploaded bytes to a list of numbers. */
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type ContactList, ContactListBuilder } from "./contact_list.ts";
import { CsvRows, detectCsvShape } from "../tables/csv_rows.ts";
import { decodeText } from "../tables/decode_text.ts";
import { TableRefusal } from "../tables/table_refusal.ts";
import { findPhoneColumn, firstRow } from "./find_phone_column.ts";
import { type LibraryBudget, problemOf, readPhone, readPlainPhone } from "../numbers/parse_phone.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noPhoneColumn, noRows } from "./refusals.ts";

export interface ReadOptions {
  /** A random 32-bit integer. */
  seed: number;
  yieldToEventLoop?: YieldToEventLoop;
}

/**
 * Calls to the library per list, 10 µs each. It reads the forms that the table lacks: foreign numbers with their
 * domestic zero, and numbers after 012 and similar prefixes. Beyond this limit such a number counts as invalid.
 */
export const LIBRARY_CALLS_A_LIST = 50_000;
/** Rows between two checks of the clock; the slowest take 10 µs each. */
const ROWS_A_LOOK = 256;
/** Bytes of one row between two checks of the clock. */
const BYTES_A_LOOK = 64 * 1024;
/** Bytes read of a rejected field, far more than are kept: one field may be as long as its file. */
const REJECTED_BYTES = 4 * 1024;
/** Of a column's heading. */
const HEADING_BYTES = 256;
const HEADING_CHARS = 60;
/** Seven digits and a line end. */
const LEAST_ROW_BYTES = 8;

/**
 * Reads a whole CSV file in slices that keep the event loop free. A file with only invalid rows is not an error.
 *
 * @throws {HttpError} `unsupported_media` when it is no text, `no_valid_contacts` when it has no phone column or no
 * rows
 */
export async function readContacts(
  file: Uint8Array,
  { seed, yieldToEventLoop = createYieldToEventLoop() }: ReadOptions,
): Promise<ContactList> {
  const decoded = await decodeText(file, yieldToEventLoop);
  if (decoded === null) throw new TableRefusal("not_a_table");
  const bytes = decoded.text;
  const shape = detectCsvShape(bytes);
  const found = await findPhoneColumn(bytes, shape, yieldToEventLoop);
  if (found === null) {
    const columns = firstRow(bytes, shape);
    throw columns.length === 0 ? noRows() : noPhoneColumn(columns);
  }
  const list = new ContactListBuilder(Math.ceil(bytes.length / LEAST_ROW_BYTES) + 1, seed);
  const rows = new CsvRows(bytes, shape);
  const budget = { callsLeft: LIBRARY_CALLS_A_LIST };
  let isHeader = found.hasHeader;
  let heading: string | null = null;
  let read = 0;
  while (rows.next(BYTES_A_LOOK)) {
    if (!rows.isWhole) {
      await yieldToEventLoop();
      continue;
    }
    const from = rows.start(found.column);
    const phone = readPlainPhone(bytes, from, rows.end(found.column));
    if (phone !== 0) {
      list.add(phone);
    } else if (!rows.isBlank) {
      if (isHeader) {
        isHeader = false;
        heading = rows.text(found.column, HEADING_BYTES);
      } else addWritten(list, rows, found.column, budget);
    }
    if (++read % ROWS_A_LOOK === 0) await yieldToEventLoop();
  }
  const result = list.finish();
  if (result.phones.length + result.invalid === 0) throw noRows();
  return { ...result, column: { no: found.column + 1, name: nameOf(heading) } };
}

/** Returns a heading as one short line. It is kept with the import, so it holds no digits that may be a number. */
function nameOf(heading: string | null): string | null {
  if (heading === null) return null;
  const name = withoutNumbers(heading.replace(/[\p{C}\p{Z}]+/gu, " ").trim().slice(0, HEADING_CHARS));
  return name === "" ? null : name;
}

function addWritten(list: ContactListBuilder, rows: CsvRows, column: number, budget: LibraryBudget): void {
  const phone = readPhone(rows.bytes, rows.start(column), rows.end(column), budget);
  if (phone > 0) list.add(phone);
  else list.reject(rows.row, list.keepsRejected ? rows.text(column, REJECTED_BYTES) : "", problemOf(phone));
}
