/** Reads a file of people: the column of numbers is found by its content, the other columns with a heading are fields. */
import { cleanFieldName, MAX_FIELDS } from "shared/contact_fields.ts";
import type { ColumnChoice } from "shared/staged_api.ts";
import { findPhoneColumn, firstRow } from "../contacts/find_phone_column.ts";
import { LIBRARY_CALLS_A_LIST, type ReadOptions } from "../contacts/read_contacts.ts";
import { noPhoneColumn, noRows, nothingValid } from "../contacts/refusals.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { problemOf, readPhone, readPlainPhone } from "../numbers/parse_phone.ts";
import { CsvRows, type CsvShape, detectCsvShape, MAX_COLUMNS } from "../tables/csv_rows.ts";
import { tableText } from "../tables/read_table.ts";
import { ContactRows, type SortedRows } from "./contact_rows.ts";

/** Rows between two checks of the clock. */
const ROWS_A_LOOK = 256;
/** Bytes of one row between two checks of the clock. */
const BYTES_A_LOOK = 64 * 1024;
/** Bytes read of a rejected cell. */
const REJECTED_BYTES = 4 * 1024;
/** Seven digits and a line end. */
const LEAST_ROW_BYTES = 8;

export interface ContactFile {
  rows: SortedRows;
  /** Headings of columns beyond MAX_FIELDS, which were not read. */
  ignored: string[];
}

/**
 * Reads a whole CSV file, or the first sheet of a workbook, in slices that keep the event loop free.
 *
 * @throws {HttpError} `unsupported_media` when it is no table, `no_valid_contacts` when it holds no number
 */
export async function readContactFile(
  file: Uint8Array,
  { seed, yieldToEventLoop = createYieldToEventLoop() }: ReadOptions,
): Promise<ContactFile> {
  const { csv: bytes } = await tableText(file, { yieldToEventLoop });
  const shape = detectCsvShape(bytes);
  const found = await findPhoneColumn(bytes, shape, yieldToEventLoop);
  const headings = firstRow(bytes, shape);
  if (found === null) throw headings.length === 0 ? noRows() : noPhoneColumn(headings);
  const { columns, ignored } = found.hasHeader ? fieldsOf(headings, found.column) : NO_FIELDS;
  const reading = { phone: found.column, columns, headingRow: 0, skipsFirst: found.hasHeader };
  return { rows: await readPeople(bytes, shape, reading, { seed, yieldToEventLoop }), ignored };
}

/**
 * Reads the text of a staged file by the columns that its person chose, after `headingRow`.
 *
 * @throws {HttpError} `no_valid_contacts` when it holds no number
 */
export function readChosenColumns(
  bytes: Uint8Array,
  { choice, headingRow }: { choice: ColumnChoice; headingRow: number | null },
  options: ReadOptions,
): Promise<SortedRows> {
  const columns = choice.fields.map(({ no, name }) => ({ name, column: no - 1 }));
  const reading = { phone: choice.phone - 1, columns, headingRow: headingRow ?? 0, skipsFirst: false };
  return readPeople(bytes, detectCsvShape(bytes), reading, options);
}

interface Reading {
  /** The column of the numbers, from 0. */
  phone: number;
  columns: readonly { name: string; column: number }[];
  /** The rows up to this one are left out. */
  headingRow: number;
  /** Whether the first row without a plain number is the headings. */
  skipsFirst: boolean;
}

async function readPeople(
  bytes: Uint8Array,
  shape: CsvShape,
  { phone: phoneColumn, columns, headingRow, skipsFirst }: Reading,
  { seed, yieldToEventLoop = createYieldToEventLoop() }: ReadOptions,
): Promise<SortedRows> {
  const names = columns.map(({ name }) => name);
  const people = new ContactRows(names, Math.ceil(bytes.length / LEAST_ROW_BYTES) + 1, seed);
  const rows = new CsvRows(bytes, shape);
  const budget = { callsLeft: LIBRARY_CALLS_A_LIST };
  let isHeader = skipsFirst;
  let read = 0;
  while (rows.next(BYTES_A_LOOK)) {
    if (!rows.isWhole) {
      await yieldToEventLoop();
      continue;
    }
    if (++read % ROWS_A_LOOK === 0) await yieldToEventLoop();
    if (rows.row <= headingRow) continue;
    const from = rows.start(phoneColumn);
    const to = rows.end(phoneColumn);
    let phone = readPlainPhone(bytes, from, to);
    if (phone === 0 && !rows.isBlank) {
      if (isHeader) isHeader = false;
      else phone = readWritten(people, rows, phoneColumn, budget);
    }
    if (phone > 0 && people.open(phone)) {
      for (let field = 0; field < columns.length; field++) {
        const { column } = columns[field]!;
        people.addCell(field, bytes, rows.start(column), rows.end(column));
      }
      people.close();
    }
  }
  const sorted = await people.finish(yieldToEventLoop);
  const { phones, invalid } = sorted.list;
  if (phones.length + invalid === 0) throw noRows();
  if (phones.length === 0) throw nothingValid(sorted.list);
  return sorted;
}

const NO_FIELDS = { columns: [], ignored: [] };

function fieldsOf(headings: readonly string[], phoneColumn: number) {
  const columns: { name: string; column: number }[] = [];
  const ignored: string[] = [];
  const taken = new Set<string>();
  for (const [column, heading] of headings.slice(0, MAX_COLUMNS).entries()) {
    if (column === phoneColumn) continue;
    // Braces and bars would end a placeholder in a message.
    const name = cleanFieldName(heading.replace(/[{}|]/g, " "));
    if (name === "" || taken.has(name)) continue;
    taken.add(name);
    if (columns.length < MAX_FIELDS) columns.push({ name, column });
    else ignored.push(name);
  }
  return { columns, ignored };
}

function readWritten(
  people: ContactRows,
  rows: CsvRows,
  column: number,
  budget: { callsLeft: number },
): number {
  const phone = readPhone(rows.bytes, rows.start(column), rows.end(column), budget);
  if (phone > 0) return phone;
  people.reject(rows.row, rows.text(column, REJECTED_BYTES), problemOf(phone));
  return 0;
}
