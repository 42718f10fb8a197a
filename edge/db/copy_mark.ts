/**
 * The mark of a copy that a backup made. It stands in a row of `system`, which outlives a dump into another database,
 * and in the file's own header, which a write-ahead log of another file that was left beside it can't hide.
 */
import type { Client } from "@libsql/client/web";
import { DatabaseSync } from "node:sqlite";

export const COPY_KEY = "backup_copy";
/** SQLite's field for what a file is of: "Shgb". */
export const COPY_APPLICATION_ID = 0x53686762;

const MARK = `INSERT INTO system (key, value) VALUES ('${COPY_KEY}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** Marks a copy, a file that nobody else has open. `madeAt` is for people. */
export function markCopy(path: string, madeAt: string): void {
  using copy = new DatabaseSync(path);
  copy.prepare(MARK).run(madeAt);
  copy.exec(`PRAGMA application_id = ${COPY_APPLICATION_ID}`);
}

/** Takes the mark away: the database was restored, and may be served. */
export async function unmarkCopy(db: Client): Promise<void> {
  // The row last: an edge that starts in between is still refused.
  if (db.protocol === "file") await db.execute("PRAGMA application_id = 0");
  await db.execute(`DELETE FROM system WHERE key = '${COPY_KEY}'`);
}
