import { MAX_CONTACT_FILE_BYTES } from "shared/campaign.ts";
import { CSV_FILE } from "../text/csv_file.ts";
import { formatBytes } from "../text/format.ts";

/** Returns the reason why a file is not accepted, or undefined; the server checks its content. */
export function csvProblem(file: File): string | undefined {
  // The server says how another file of Excel becomes one that it can read.
  if (!/\.(csv|xls[bmx]?)$/i.test(file.name)) return CSV_FILE.notCsv;
  if (file.size > MAX_CONTACT_FILE_BYTES) return CSV_FILE.tooLarge(formatBytes(file.size));
}
