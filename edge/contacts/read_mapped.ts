/** Reads the rows of a staged file by the columns that its person chose. */
import { cleanFieldValue, type Fields } from "shared/contact_fields.ts";
import type { ColumnChoice } from "shared/staged_api.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type LibraryBudget, problemOf, readPhone, readPlainPhone } from "../numbers/parse_phone.ts";
import { CsvRows, type CsvShape, detectCsvShape } from "../tables/csv_rows.ts";
import { type ContactList, ContactListBuilder } from "./contact_list.ts";
import { LIBRARY_CALLS_A_LIST, type ReadOptions } from "./read_contacts.ts";
import { noRows } from "./refusals.ts";
import { RowPlaces } from "./row_places.ts";

export interface MappedList extends ContactList {
  /** Rows that are not blank. */
  rows: number;
  /** The row of each number of `phones`, at the same place. */
  rowNumbers: Uint32Array;
  /** The first rows whose number stood in an earlier row; at most as many as rejected rows are kept. */
  repeated: { row: number; text: string }[];
  /** Returns the values that are kept of a number's row, as JSON; null = none. Absent when no column is kept. */
  fieldsOf?: (phone: number) => string | null;
  /** The names of the columns that are kept. */
  fieldNames: string[];
}

const ROWS_A_LOOK = 256;
const BYTES_A_LOOK = 64 * 1024;
const TEXT_BYTES = 320;
const REPEATED_KEPT = 10_000;
const LEAST_ROW_BYTES = 8;
/** A value is cut to 200 signs of at most four bytes, after spaces around it. */
const VALUE_BYTES = 2_000;

/**
 * Reads the rows after `headingRow`.
 *
 * @throws {HttpError} `no_valid_contacts` when there is none
 */
export async function readMapped(
  csv: Uint8Array,
  { choice, headingRow }: { choice: ColumnChoice; headingRow: number | null },
  { seed, yieldToEventLoop = createYieldToEventLoop() }: ReadOptions,
): Promise<MappedList> {
  const shape = detectCsvShape(csv);
  const rows = new CsvRows(csv, shape);
  const most = Math.ceil(csv.length / LEAST_ROW_BYTES) + 1;
  const list = new ContactListBuilder(most, seed);
  const rowNumbers = new Uint32Array(most);
  const places = choice.fields.length === 0 ? undefined : new RowPlaces(most, seed);
  const budget: LibraryBudget = { callsLeft: LIBRARY_CALLS_A_LIST };
  const column = choice.phone - 1;
  const repeated: MappedList["repeated"] = [];
  let read = 0;
  let found = 0;
  let looked = 0;
  while (rows.next(BYTES_A_LOOK)) {
    if (!rows.isWhole) {
      await yieldToEventLoop();
      continue;
    }
    if (++looked % ROWS_A_LOOK === 0) await yieldToEventLoop();
    if (rows.row <= (headingRow ?? 0)) continue;
    const [from, to] = [rows.start(column), rows.end(column)];
    let phone = readPlainPhone(csv, from, to);
    if (phone === 0) {
      if (rows.isBlank) continue;
      phone = readPhone(csv, from, to, budget);
    }
    read++;
    if (phone <= 0) {
      list.reject(rows.row, list.keepsRejected ? rows.text(column, TEXT_BYTES) : "", problemOf(phone));
    } else if (list.add(phone)) {
      rowNumbers[found++] = rows.row;
      places?.add(phone, rows.rowStart);
    } else if (repeated.length < REPEATED_KEPT) {
      repeated.push({ row: rows.row, text: rows.text(column, TEXT_BYTES) });
    }
  }
  if (read === 0) throw noRows();
  const fieldsOf = places && fieldReader(csv, shape, choice, places);
  return {
    ...list.finish(),
    rows: read,
    rowNumbers: rowNumbers.subarray(0, found),
    repeated,
    fieldNames: choice.fields.map(({ name }) => name),
    ...(fieldsOf && { fieldsOf }),
  };
}

/** Reads the values again from the row's place: a million rows of strings would not fit into the memory. */
function fieldReader(csv: Uint8Array, shape: CsvShape, { fields }: ColumnChoice, places: RowPlaces) {
  const rows = new CsvRows(csv, shape);
  return (phone: number): string | null => {
    const place = places.of(phone);
    if (place < 0) return null;
    rows.seek(place);
    rows.next();
    const values: Fields = {};
    let isEmpty = true;
    for (const { no, name } of fields) {
      const value = cleanFieldValue(rows.text(no - 1, VALUE_BYTES));
      if (value === "") continue;
      values[name] = value;
      isEmpty = false;
    }
    return isEmpty ? null : JSON.stringify(values);
  };
}
