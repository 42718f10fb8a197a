/** Recognises a spreadsheet file by its bytes; its name may say anything. */
import { TableRefusal } from "./table_refusal.ts";

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** An archive without an entry. */
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06];
/** Compound files (MS-CFB): workbooks until 2003, and all encrypted ones. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/**
 * Returns whether a file is a workbook of Excel, or text.
 *
 * @throws {TableRefusal} `encrypted`, `old_excel`, `broken_file`
 */
export function tableKind(file: Uint8Array): "xlsx" | "csv" {
  if (beginsWith(file, ZIP)) return "xlsx";
  if (beginsWith(file, EMPTY_ZIP)) throw new TableRefusal("not_a_table");
  if (!beginsWith(file, COMPOUND)) return "csv";
  throw new TableRefusal(holds(file, "EncryptedPackage") ? "encrypted" : "old_excel");
}

function beginsWith(file: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => file[index] === byte);
}

/** Returns whether a compound file has a stream of this name: names stand in it in UTF-16. */
function holds(file: Uint8Array, name: string): boolean {
  const wide = [...name].map((sign) => `${sign}\0`).join("");
  return new TextDecoder("latin1").decode(file).includes(wide);
}
