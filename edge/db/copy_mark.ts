/**
 * The mark of a copy that a backup made. A row of `system` keeps it when the database is dumped into another one. The
 * file's own header keeps it when a write-ahead log of another file was left beside the copy.
 */
import type { Client } from "@libsql/client/web";
import { DatabaseSync } from "node:sqlite";

const COPY_KEY = "backup_copy";
/** SQL condition: this database is a backup's copy that no restore prepared. */
export const IS_BACKUP_COPY = `EXISTS (SELECT 1 FROM system WHERE key = '${COPY_KEY}')`;
/** SQLite's field for the kind of file (`application_id`): "Shgb". */
export const COPY_APPLICATION_ID = 0x53686762;

const MARK = `INSERT INTO system (key, value) VALUES ('${COPY_KEY}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** Marks a copy that no other process has open. `madeAt` is for people. */
export function markCopy(path: string, madeAt: string): void {
  using copy = new DatabaseSync(path);
  copy.prepare(MARK).run(madeAt);
  copy.exec(`PRAGMA application_id = ${COPY_APPLICATION_ID}`);
}

/** Removes the mark: the database was restored and may be served. */
export async function unmarkCopy(db: Client): Promise<void> {
  // Delete the row last: an edge that starts in between is still refused.
  if (db.protocol === "file") await db.execute("PRAGMA application_id = 0");
  await db.execute(`DELETE FROM system WHERE key = '${COPY_KEY}'`);
}
