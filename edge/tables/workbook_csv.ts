/** Turns a sheet of a workbook into CSV: no file is kept whose bytes hide a number from an erasure's search. */
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { TableRefusal } from "./table_refusal.ts";
import { type Sheet, Workbook } from "./workbook.ts";

export interface SheetCsv {
  /** In UTF-8; a row of the sheet is the row of the same number. */
  csv: Uint8Array<ArrayBuffer>;
  sheets: readonly Sheet[];
  /** The number of the sheet that was read. */
  sheet: number;
}

export interface SheetChoice {
  /** From 1; absent = the first visible sheet with a row, or else the first hidden one. */
  sheet?: number | undefined;
}

/** Reads one sheet of a workbook. @throws {TableRefusal} with its reason */
export async function workbookCsv(
  file: Uint8Array,
  yieldToEventLoop: YieldToEventLoop,
  { sheet }: SheetChoice = {},
): Promise<SheetCsv> {
  const workbook = await Workbook.open(file, yieldToEventLoop);
  const { sheets } = workbook;
  const wanted = sheet === undefined ? inOrderOfUse(sheets) : [sheet];
  for (const no of wanted) {
    const csv = await workbook.csv(no);
    if (csv !== null) return { csv, sheets, sheet: no };
  }
  throw new TableRefusal("empty_sheet");
}

function inOrderOfUse(sheets: readonly Sheet[]): number[] {
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const hidden = sheets.filter(({ isHidden }) => isHidden);
  return [...visible, ...hidden].map(({ no }) => no);
}
