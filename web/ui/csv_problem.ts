import { MAX_CONTACT_FILE_BYTES } from "shared/campaign.ts";
import { CSV_FILE } from "../text/csv_file.ts";
import { formatBytes } from "../text/format.ts";

/** Why a file can't be taken in, or undefined when it can; what is inside is the server's to judge. */
export function csvProblem(file: File): string | undefined {
  if (!file.name.toLowerCase().endsWith(".csv")) return CSV_FILE.notCsv;
  if (file.size > MAX_CONTACT_FILE_BYTES) return CSV_FILE.tooLarge(formatBytes(file.size));
}
