/** Finds the phone column of a file by its contents; its heading only decides close cases. */
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type CsvRows, type CsvShape, MAX_COLUMNS } from "../tables/csv_rows.ts";
import { sampleRows } from "../tables/sample_rows.ts";
import { parsePhone } from "../numbers/parse_phone.ts";

export interface PhoneColumn {
  column: number;
  /** True when the first non-blank row names the columns. */
  hasHeader: boolean;
}

const SAMPLE_ROWS = 200;
/** A cell that only the library can read takes 10 µs, and several times that on the library's first call. */
const SAMPLE_CELLS = 3_000;
/** A heading that names a column of numbers. */
export const PHONE_HEADING =
  /phone|mobile|cell|whatsapp|msisdn|^tel\b|^number$|טלפון|נייד|סלולר|פלאפון|וואטסאפ|ווטסאפ|^טל|^מספר$/i;

/** Returns the column, or null when no cell of the first rows is a phone and no heading names one. */
export async function findPhoneColumn(
  bytes: Uint8Array,
  shape: CsvShape,
  yieldToEventLoop: YieldToEventLoop,
): Promise<PhoneColumn | null> {
  const scores: number[] = [];
  let first: string[] | null = null;
  let seen = 0;
  let cells = 0;
  for await (const rows of sampleRows(bytes, shape, yieldToEventLoop)) {
    if (seen++ === SAMPLE_ROWS || cells >= SAMPLE_CELLS) break;
    const texts = textsOf(rows);
    first ??= texts;
    cells += texts.length;
    texts.forEach((text, field) => scores[field] = (scores[field] ?? 0) + likeness(text));
    await yieldToEventLoop();
  }
  if (first === null) return null;
  // A heading wins against a column of other digits that look like phones (dates, identity cards) only in a close case.
  const most = Math.max(...scores);
  first.forEach((heading, field) => {
    if (PHONE_HEADING.test(heading.trim())) scores[field] += most * 0.3 + 0.1;
  });
  const best = Math.max(...scores);
  // A single column with digits must be the phones: its rows are refused one by one, with the reason.
  if (best === 0) return first.length === 1 && /\d/.test(first[0]!) ? { column: 0, hasHeader: false } : null;
  const column = scores.indexOf(best);
  return { column, hasHeader: isHeading(first, column) };
}

/** Returns the cells of the first non-blank row. */
export async function firstRow(
  bytes: Uint8Array,
  shape: CsvShape,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string[]> {
  for await (const rows of sampleRows(bytes, shape, yieldToEventLoop)) return textsOf(rows);
  return [];
}

function textsOf(rows: CsvRows): string[] {
  return Array.from({ length: Math.min(rows.fieldCount, MAX_COLUMNS) }, (_, field) => rows.text(field));
}

/** Mobile numbers score higher: eight digits of a date may be a valid landline. */
function likeness(text: string): number {
  const { phone, problem } = parsePhone(text);
  if (phone !== undefined) return /^9725/.test(String(phone)) ? 1 : 0.8;
  return problem === "excel_exponent" ? 0.5 : 0;
}

function isHeading(row: string[], column: number): boolean {
  const cell = row[column] ?? "";
  return cell.trim() === ""
    ? !row.some((text) => /\d/.test(text))
    : parsePhone(cell).problem === "not_a_number";
}
