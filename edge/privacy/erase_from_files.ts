/** Searches uploaded files and rejected rows, stored as bytes, for a number in any spelling. */
import type { Transaction } from "@libsql/client/web";
import { statement } from "../db/statement.ts";

/** The last digits are equal in every spelling of a number. */
const SHARED_DIGITS = 8;
/** Characters between the digits of one number; a comma or a tab would join two columns. NUL is part of UTF-16. */
const BETWEEN = /[\0 ().\-\u00a0\u2010-\u2015]+/g;

const LIST =
  `SELECT DISTINCT c.import, c.kind, i.status FROM import_chunks c LEFT JOIN imports i ON i.id = c.import
  ORDER BY c.import, c.kind`;
const BYTES = "SELECT bytes FROM import_chunks WHERE import = :import AND kind = :kind ORDER BY no";
const DROP = "DELETE FROM import_chunks WHERE import = :import AND kind = :kind";

/**
 * Deletes the stored bytes of every file that contains the number; its rows are already added or refused. A file that
 * is still to be read is left until then. A false match costs a copy that is no longer needed.
 */
export async function eraseFromFiles(
  tx: Transaction,
  phone: number,
): Promise<{ removed: number; isWaiting: boolean }> {
  const needle = String(phone).slice(-SHARED_DIGITS);
  let removed = 0;
  let isWaiting = false;
  for (const { import: id, kind, status } of (await tx.execute(LIST)).rows) {
    const args = { import: Number(id), kind: String(kind) };
    const { rows } = await tx.execute(statement(BYTES, args));
    if (!textOf(rows.map((row) => row.bytes as ArrayBuffer)).includes(needle)) continue;
    if (kind === "raw" && (status === "queued" || status === "processing")) isWaiting = true;
    else removed += (await tx.execute(statement(DROP, args))).rowsAffected;
  }
  return { removed, isWaiting };
}

/**
 * Returns a file's text without the characters between digits. Every accepted encoding has the same bytes for digits,
 * except for zeros in UTF-16.
 */
export function textOf(chunks: readonly ArrayBuffer[]): string {
  const decoder = new TextDecoder("latin1");
  return chunks.map((bytes) => decoder.decode(bytes)).join("").replace(BETWEEN, "");
}
