/** The beginning of a table, from which its columns are known. */
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { CsvRows, type CsvShape } from "./csv_rows.ts";

export const SAMPLE_BYTES = 512 * 1024;
/** Bytes of one row between two checks of the clock. */
const BYTES_A_LOOK = 64 * 1024;
/** Rows between two checks of the clock. */
const ROWS_A_LOOK = 256;

/** Yields its reader at each row of the first SAMPLE_BYTES that is not blank. */
export async function* sampleRows(
  csv: Uint8Array,
  shape: CsvShape,
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<CsvRows> {
  const rows = new CsvRows(csv.subarray(0, SAMPLE_BYTES), shape);
  for (let read = 1; rows.next(BYTES_A_LOOK); read++) {
    if (!rows.isWhole || read % ROWS_A_LOOK === 0) await yieldToEventLoop();
    if (rows.isWhole && !rows.isBlank) yield rows;
  }
}
