/** Uploaded files and rejected rows, kept as bytes: searched for a number however it is written. */
import type { Transaction } from "@libsql/client/web";
import { statement } from "../db/statement.ts";

/** The last digits of a number are those that every way of writing it shares. */
const SHARED_DIGITS = 8;
/** What people put between digits; a comma or a tab would join two columns. NUL stands in UTF-16. */
const BETWEEN = /[\0 ().\-\u00a0\u2010-\u2015]+/g;

const LIST =
  `SELECT DISTINCT c.import, c.kind, i.status FROM import_chunks c LEFT JOIN imports i ON i.id = c.import
  ORDER BY c.import, c.kind`;
const BYTES = "SELECT bytes FROM import_chunks WHERE import = :import AND kind = :kind ORDER BY no";
const DROP = "DELETE FROM import_chunks WHERE import = :import AND kind = :kind";

/**
 * Deletes what is kept of every file in which the number stands: its rows were taken in or refused by now. A file that
 * is still to be read is waited for. A chance find costs a copy that nobody needs any more.
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
 * A file's text without what stands between digits. Digits are the same bytes in every encoding that files come in, but
 * for zeros in UTF-16.
 */
export function textOf(chunks: readonly ArrayBuffer[]): string {
  const decoder = new TextDecoder("latin1");
  return chunks.map((bytes) => decoder.decode(bytes)).join("").replace(BETWEEN, "");
}
