/** Describes the columns of a file before it is taken in: headings, samples, and which column holds the numbers. */
import { cleanFieldName, MAX_FIELDS } from "shared/contact_fields.ts";
import { type ColumnChoice, SAMPLES, type StagedFile } from "shared/staged_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { parsePhone } from "../numbers/parse_phone.ts";
import { type CsvShape, MAX_COLUMNS } from "../tables/csv_rows.ts";
import { sampleRows } from "../tables/sample_rows.ts";
import { findPhoneColumn, PHONE_HEADING } from "./find_phone_column.ts";

export type TableDescription = Pick<StagedFile, "headingRow" | "columns" | "rowsLookedAt" | "why"> & {
  /** What is proposed; null = no column holds numbers. */
  proposal: ColumnChoice | null;
  /** The headings as they are written; null = there are none. */
  headings: string[] | null;
  /** Rows above the headings, such as a title over merged cells. */
  hasTitles: boolean;
};

const SAMPLE_ROWS = 200;
/** Cells that are read as numbers: ten microseconds each at worst. */
const SAMPLE_CELLS = 3_000;
/** Rows in which the headings are looked for. */
const LEADING_ROWS = 10;
const CELL_BYTES = 400;
const SAMPLE_CHARS = 60;
const HEADING_CHARS = 60;

interface SampleRow {
  row: number;
  cells: string[];
}

/** Describes a table by its first rows. */
export async function describeTable(
  csv: Uint8Array,
  shape: CsvShape,
  yieldToEventLoop: YieldToEventLoop,
): Promise<TableDescription> {
  const found = await findPhoneColumn(csv, shape, yieldToEventLoop);
  await yieldToEventLoop();
  const sample = await readSample(csv, shape, yieldToEventLoop);
  const headingAt = found === null ? firstWide(sample) : findHeading(sample, found.column);
  const heading = headingAt < 0 ? undefined : sample[headingAt]!;
  const rows = sample.slice(headingAt + 1);
  const width = Math.max(0, ...sample.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => ({
    no: at + 1,
    name: nameOf(heading?.cells[at] ?? ""),
    samples: rows.map(({ cells }) => oneLine(cells[at] ?? "", SAMPLE_CHARS)).filter((text) => text !== "")
      .slice(0, SAMPLES),
    phones: 0,
  }));
  let read = 0;
  let rowsLookedAt = 0;
  for (const { cells } of rows) {
    if (read > SAMPLE_CELLS) break;
    rowsLookedAt++;
    read += cells.length;
    cells.forEach((cell, at) => {
      if (parsePhone(cell).phone !== undefined) columns[at]!.phones++;
    });
    await yieldToEventLoop();
  }
  return {
    headingRow: heading?.row ?? null,
    headings: heading?.cells ?? null,
    hasTitles: headingAt > 0,
    columns,
    rowsLookedAt,
    why: found === null ? null : whyColumn(columns.length, columns[found.column]?.name ?? ""),
    proposal: found === null ? null : propose(found.column, heading?.cells ?? []),
  };
}

async function readSample(
  csv: Uint8Array,
  shape: CsvShape,
  yieldToEventLoop: YieldToEventLoop,
): Promise<SampleRow[]> {
  const sample: SampleRow[] = [];
  for await (const rows of sampleRows(csv, shape, yieldToEventLoop)) {
    if (sample.length === SAMPLE_ROWS) break;
    const length = Math.min(rows.fieldCount, MAX_COLUMNS);
    const cells = Array.from({ length }, (_, field) => rows.text(field, CELL_BYTES));
    while (cells.at(-1)?.trim() === "") cells.pop();
    sample.push({ row: rows.row, cells });
  }
  return sample;
}

/**
 * Returns the place of the headings, -1 = none: of the rows before the first with digits in the column of the numbers,
 * the one with the most cells. A title, or groups over merged cells, have fewer.
 */
function findHeading(sample: readonly SampleRow[], column: number): number {
  const first = sample.findIndex(({ cells }) => /\d/.test(cells[column] ?? ""));
  const leading = sample.slice(0, Math.min(first < 0 ? 1 : first, LEADING_ROWS));
  return widest(leading);
}

/** Returns the place of the likeliest headings where no column holds numbers. */
function firstWide(sample: readonly SampleRow[]): number {
  return widest(sample.slice(0, LEADING_ROWS));
}

function widest(rows: readonly SampleRow[]): number {
  let best = -1;
  let most = 0;
  rows.forEach(({ cells }, at) => {
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    if (filled > most) [best, most] = [at, filled];
  });
  return best;
}

function whyColumn(columns: number, heading: string): StagedFile["why"] {
  if (columns === 1) return "only";
  return PHONE_HEADING.test(heading.trim()) ? "heading" : "values";
}

/** Proposes every other column with a heading as a field of that name. */
function propose(column: number, headings: readonly string[]): ColumnChoice {
  const names = new Set<string>();
  const fields: ColumnChoice["fields"] = [];
  headings.forEach((heading, at) => {
    // Braces and bars would end a placeholder in a message.
    const name = cleanFieldName(heading.replace(/[{}|]/g, " "));
    if (at === column || name === "" || names.has(name) || fields.length === MAX_FIELDS) return;
    names.add(name);
    fields.push({ no: at + 1, name });
  });
  return { phone: column + 1, fields };
}

function nameOf(heading: string): string | null {
  const name = withoutNumbers(oneLine(heading, HEADING_CHARS));
  return name === "" ? null : name;
}

function oneLine(text: string, chars: number): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, " ").trim().slice(0, chars);
}
