/** Removes erased data from the file's bytes: deleted rows leave copies in the free space of pages. */
import type { Client, InStatement } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { turnLoop } from "../time/turn_loop.ts";

/** Texts of events and of administrators' activity contain numbers too, and so does the index of contacts' values. */
const TEXT_TABLES = ["events", "activity", "contact_blocks"];
/** Tables of stored files, and what their rows are found by; each row is a piece of a file, up to 256 kB long. */
const CHUNK_TABLES: Record<string, readonly string[]> = {
  import_chunks: ["import", "kind", "no"],
  staged_chunks: ["staged", "no"],
};
/** What came during one pass is copied in the next, and the little that came during the last when tables change. */
const COPY_PASSES = 3;
/** Pieces that are copied or deleted in one commit: some milliseconds. */
const CHUNKS_A_TURN = 8;
const TABLES = `SELECT DISTINCT t.name, (SELECT wr FROM pragma_table_list(t.name)) AS "isOrdered"
  FROM sqlite_schema t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND (c.name = 'phone' OR t.name IN (SELECT value FROM json_each(?)))`;
const TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?";
const UNSCRUBBED = `SELECT id, id || ' ' || database_at AS "key" FROM erasures
  WHERE database_at IS NOT NULL AND scrubbed_at IS NULL ORDER BY id`;
const SCRUBBED = `UPDATE erasures SET scrubbed_at = :at
  WHERE id || ' ' || database_at IN (SELECT value FROM json_each(:keys)) AND scrubbed_at IS NULL`;

/** Bytes of a row that fills free pages; and such rows in one commit. */
const FILLER = 1_000_000;
const FILLERS_A_TURN = 2;
/** Others may free pages as fast as they are filled; then the next tick tries again. */
const MOST_ROUNDS = 4;
const FREE_BYTES = "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size";

/** By database: the erasures after which its file was rewritten, while a reader keeps them from being finished. */
const rewrites = new WeakMap<Client, ReadonlySet<string>>();

/**
 * Rewrites every table that holds numbers, overwrites the free pages, and empties the write-ahead log. Writers wait for
 * the tables of rows, some seconds per million of them. Stored files and free pages may be gigabytes: they are written
 * piece by piece, and others have their turns between. It does not use VACUUM, which attaches a second database: Deno
 * allows that only to processes without any restriction. It does nothing to a remote database, whose files belong to
 * its host.
 */
export async function scrubDatabase({ db, now }: Pick<EdgeContext, "db" | "now">): Promise<void> {
  if (db.protocol !== "file") return;
  // An erasure that ends meanwhile may leave its number in pages that were rewritten before: it waits for the next time.
  const keys = (await db.execute(UNSCRUBBED)).rows.map(({ key }) => String(key));
  const done = rewrites.get(db);
  // Rewrite once: while a reader such as a backup blocks the checkpoint, another rewrite would only lengthen the log.
  if (done === undefined || keys.some((key) => !done.has(key))) {
    if (!await rewriteFile(db)) return;
    rewrites.set(db, new Set(keys));
  }
  // A reader blocks it: the next tick tries again.
  const { rows: [emptied] } = await db.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  if (emptied?.busy === 0) {
    await db.execute({ sql: SCRUBBED, args: { at: now(), keys: JSON.stringify(keys) } });
    rewrites.delete(db);
  }
}

/** Returns false when others free pages as fast as it fills them: it has to be done again. */
async function rewriteFile(db: Client): Promise<boolean> {
  // Before the free pages: their old pages are among them then.
  for (const [name, key] of Object.entries(CHUNK_TABLES)) await rewriteChunks(db, name, key);
  const { rows } = await db.execute({ sql: TABLES, args: [JSON.stringify(TEXT_TABLES)] });
  // Overwrites freed cells and pages at once.
  await db.execute("PRAGMA secure_delete = ON");
  try {
    for (const { name, isOrdered } of rows) await rewriteTable(db, String(name), isOrdered === 1);
  } finally {
    await db.execute("PRAGMA secure_delete = OFF");
  }
  return await overwriteFreePages(db);
}

/**
 * Copies a table of pieces to a new one, some in each commit, and puts that in its place; then drops the old one, some
 * in each commit. Pages of the new table hold nothing but what is there now. A piece is written and deleted; only
 * rejected rows are ever changed.
 */
async function rewriteChunks(db: Client, name: string, key: readonly string[]): Promise<void> {
  const { rows: [table] } = await db.execute({
    sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
    args: [name],
  });
  await emptyTable(db, "being_dropped");
  await emptyTable(db, "being_copied");
  await db.execute(String(table!.sql).replace(name, "being_copied"));
  for (let pass = 0, after = 0; pass < COPY_PASSES; pass++) after = await copyChunks(db, name, after);
  const isSame = key.map((column) => `a.${column} = b.${column}`).join(" AND ");
  const isUnchanged = key.includes("kind") ? "(a.kind = 'raw' OR a.bytes = b.bytes)" : "1";
  await db.batch([
    `DELETE FROM being_copied AS a WHERE NOT EXISTS (SELECT 1 FROM ${name} b WHERE ${isSame} AND ${isUnchanged})`,
    `INSERT INTO being_copied SELECT * FROM ${name} AS a WHERE NOT EXISTS
      (SELECT 1 FROM being_copied b WHERE ${isSame}) ORDER BY rowid`,
    `ALTER TABLE ${name} RENAME TO being_dropped`,
    `ALTER TABLE being_copied RENAME TO ${name}`,
  ], "write");
  await emptyTable(db, "being_dropped");
}

/** Copies the pieces after a row id that are there now, and returns the last row id. */
async function copyChunks(db: Client, name: string, after: number): Promise<number> {
  const { rows: [newest] } = await db.execute(`SELECT coalesce(max(rowid), 0) AS last FROM ${name}`);
  for (;;) {
    const { rows: [next] } = await db.execute({
      sql: `SELECT max(place) AS last FROM (SELECT rowid AS place FROM ${name}
        WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ${CHUNKS_A_TURN})`,
      args: [after, Number(newest!.last)],
    });
    if (next!.last === null) return after;
    const last = Number(next!.last);
    await db.execute({
      sql: `INSERT INTO being_copied SELECT * FROM ${name} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`,
      args: [after, last],
    });
    after = last;
    await turnLoop();
  }
}

/** Drops a table, if it is there, some rows in each commit. */
async function emptyTable(db: Client, name: string): Promise<void> {
  const { rows } = await db.execute({ sql: "SELECT 1 FROM sqlite_schema WHERE name = ?", args: [name] });
  if (rows.length === 0) return;
  const some =
    `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} ORDER BY rowid LIMIT ${CHUNKS_A_TURN})`;
  while ((await db.execute(some)).rowsAffected > 0) await turnLoop();
  await db.execute(`DROP TABLE ${name}`);
}

/** Rewrites a table in one transaction, so no reader sees it empty. Its triggers must not fire. */
async function rewriteTable(db: Client, name: string, isOrdered: boolean): Promise<void> {
  const table = `"${name}"`;
  // A table without row ids stands in the order of its key.
  const inOrder = isOrdered ? "" : "ORDER BY rowid";
  const { rows: triggers } = await db.execute({ sql: TRIGGERS, args: [name] });
  const statements: InStatement[] = [
    ...triggers.map((trigger) => `DROP TRIGGER "${trigger.name}"`),
    `CREATE TABLE being_rewritten AS SELECT * FROM ${table} ${inOrder}`,
    `DELETE FROM ${table}`,
    `INSERT INTO ${table} SELECT * FROM being_rewritten ORDER BY rowid`,
    "DROP TABLE being_rewritten",
    ...triggers.map((trigger) => String(trigger.sql)),
  ];
  await db.batch(statements, "write");
}

/**
 * Fills all free pages with a table of zeros, some in each commit, until none is free, and drops it. A page that is
 * taken and freed in one transaction is never written. Returns false when others free pages as fast.
 */
async function overwriteFreePages(db: Client): Promise<boolean> {
  // An earlier round may have left it.
  await emptyTable(db, "being_overwritten");
  const free = async () => Number((await db.execute(FREE_BYTES)).rows[0]!.bytes);
  const most = MOST_ROUNDS * Math.ceil(await free() / FILLER / FILLERS_A_TURN + 1);
  await db.execute("CREATE TABLE being_overwritten (zeros)");
  let turns = 0;
  for (; await free() > 0 && turns < most; turns++) {
    const zeros = Array(FILLERS_A_TURN).fill(`(zeroblob(${FILLER}))`).join(", ");
    await db.execute(`INSERT INTO being_overwritten VALUES ${zeros}`);
    await turnLoop();
  }
  await emptyTable(db, "being_overwritten");
  return turns < most;
}
