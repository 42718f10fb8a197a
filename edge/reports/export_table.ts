/**
 * A table as CSV or a workbook: the first row has English names that stay as they are for programs, the second the
 * Hebrew headings.
 */
import { csvHeaders, csvStream } from "../http/csv.ts";
import { writeXlsx, type XlsxCell } from "../tables/write_xlsx.ts";

/** Next rows of a table; called only when the reader asks for more. */
export type NextRows = () => Promise<{ rows: string[][]; isLast: boolean }>;

export interface ExportTable {
  /** Title of the workbook's sheet. */
  title: string;
  /** Columns: their English name, the Hebrew heading, and whether they hold figures, which a workbook adds up. */
  columns: readonly (readonly [name: string, heading: string, kind?: "figure"])[];
  next: NextRows;
}

/** As many digits as a spreadsheet keeps exactly. */
const FIGURE = /^\d{1,15}$/;
export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const xlsxAnswer = {
  description: "A workbook",
  content: { [XLSX_TYPE]: { schema: { type: "string" as const, format: "binary" } } },
};

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Returns the headers that make a browser save a workbook. `name` has only plain letters. */
export function xlsxHeaders(name: string): Record<string, string> {
  return { ...csvHeaders(name), "content-type": XLSX_TYPE };
}

/** Streams a table as CSV. */
export function tableCsv({ columns, next }: ExportTable): Bytes {
  let isFirst = true;
  return csvStream(columns.map(([name]) => name), async () => {
    const { rows, isLast } = await next();
    const headings = isFirst ? [columns.map(([, heading]) => heading)] : [];
    isFirst = false;
    return { rows: [...headings, ...rows], isLast };
  });
}

/** Streams a table as a workbook. */
export function tableXlsx({ title, columns, next }: ExportTable): Bytes {
  const pieces = writeXlsx(title, rowsOf(columns, next));
  return new ReadableStream({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) return controller.close();
      controller.enqueue(piece.value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  }, { highWaterMark: 0 });
}

/** Returns the rows of a table that is there as a whole. */
export function wholeTable(rows: string[][]): NextRows {
  return () => Promise.resolve({ rows, isLast: true });
}

async function* rowsOf(columns: ExportTable["columns"], next: NextRows): AsyncGenerator<readonly XlsxCell[]> {
  yield columns.map(([name]) => name);
  yield columns.map(([, heading]) => heading);
  for (;;) {
    const { rows, isLast } = await next();
    for (const row of rows) {
      yield row.map((cell, place) =>
        columns[place]?.[2] === "figure" && FIGURE.test(cell) ? Number(cell) : cell
      );
    }
    if (isLast) return;
  }
}
