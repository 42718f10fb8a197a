/** A contact file, from bytes as they were uploaded to a list of numbers. */
import { type Breathe, createBreathe } from "./breathe.ts";
import { type ContactList, ContactListBuilder } from "./contact_list.ts";
import { CsvRows, detectCsvShape } from "./csv_rows.ts";
import { decodeText } from "./decode_text.ts";
import { findPhoneColumn, firstRow } from "./find_phone_column.ts";
import { parsePhone, readPlainPhone } from "./phone/parse_phone.ts";
import { noPhoneColumn, noRows, notCsv } from "./refusals.ts";

export interface ReadOptions {
  /** A random 32-bit integer. */
  seed: number;
  breathe?: Breathe;
}

/** Rows between two looks at the clock; the slowest take 10 µs each. */
const ROWS_A_LOOK = 256;
/** Seven digits and a line end. */
const LEAST_ROW_BYTES = 8;

/**
 * Reads a whole CSV file in slices that leave the event loop free.
 *
 * @throws {HttpError} `unsupported_media` when it is no text, `no_valid_contacts` when it has no phone column or no
 * rows; a file whose rows are all invalid is read like any other
 */
export async function readContacts(
  file: Uint8Array,
  { seed, breathe = createBreathe() }: ReadOptions,
): Promise<ContactList> {
  const bytes = await decodeText(file, breathe);
  if (bytes === null) throw notCsv();
  const shape = detectCsvShape(bytes);
  const found = findPhoneColumn(bytes, shape);
  if (found === null) {
    const columns = firstRow(bytes, shape);
    throw columns.length === 0 ? noRows() : noPhoneColumn(columns);
  }
  const list = new ContactListBuilder(Math.ceil(bytes.length / LEAST_ROW_BYTES) + 1, seed);
  const rows = new CsvRows(bytes, shape);
  let isHeader = found.hasHeader;
  let read = 0;
  while (rows.next()) {
    const from = rows.start(found.column);
    const phone = readPlainPhone(bytes, from, rows.end(found.column));
    if (phone !== 0) {
      list.add(phone);
    } else if (!rows.isBlank) {
      if (isHeader) isHeader = false;
      else addWritten(list, rows.row, rows.text(found.column));
    }
    if (++read % ROWS_A_LOOK === 0) await breathe();
  }
  const result = list.finish();
  if (result.phones.length + result.invalid === 0) throw noRows();
  return result;
}

function addWritten(list: ContactListBuilder, row: number, text: string): void {
  const { phone, problem } = parsePhone(text);
  if (phone !== undefined) list.add(phone);
  else list.reject(row, text, problem);
}
