/** Takes what was erased out of the file's bytes: deleted rows leave copies in the free space of pages. */
import type { Client, InStatement } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";

/** Numbers pass through texts of events as well, and of what is told to administrators. */
const TEXT_TABLES = ["events", "activity", "import_chunks"];
const TABLES = `SELECT DISTINCT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND (c.name = 'phone' OR t.name IN (SELECT value FROM json_each(?)))`;
const TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?";
const NEWEST = "SELECT max(database_at) AS at FROM erasures WHERE scrubbed_at IS NULL";
const SCRUBBED = "UPDATE erasures SET scrubbed_at = ? WHERE database_at <= ? AND scrubbed_at IS NULL";

/** Of a row that takes up free pages, in bytes. */
const FILLER = 1_000_000;
const FREE_BYTES = "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size";

/** When the file of a database was written anew for the last time. */
const rewrites = new WeakMap<Client, number>();

/**
 * Writes every table that numbers pass through anew, in its place, overwrites the pages that are free, and empties the
 * write-ahead log. Writers wait meanwhile, some seconds a million rows; without it they pay nothing for it.
 * Not VACUUM: it attaches a second database, which Deno allows only to processes without any restriction. A remote
 * database is its host's: nothing is done.
 */
export async function scrubDatabase({ db, now }: Pick<EdgeContext, "db" | "now">): Promise<void> {
  if (db.protocol !== "file") return;
  const at = now();
  const { rows: [newest] } = await db.execute(NEWEST);
  // Once is enough: what is written while a reader is in the way, a backup for instance, makes the log longer only.
  if (Number(newest!.at) > (rewrites.get(db) ?? 0)) {
    await rewriteFile(db);
    rewrites.set(db, at);
  }
  // A reader in the way: the next tick tries again.
  const { rows: [emptied] } = await db.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  if (emptied?.busy === 0) await db.execute({ sql: SCRUBBED, args: [at, rewrites.get(db)!] });
}

async function rewriteFile(db: Client): Promise<void> {
  const { rows } = await db.execute({ sql: TABLES, args: [JSON.stringify(TEXT_TABLES)] });
  // Cells and pages that this frees are overwritten at once.
  await db.execute("PRAGMA secure_delete = ON");
  try {
    for (const { name } of rows) await rewriteTable(db, String(name));
    await overwriteFreePages(db);
  } finally {
    await db.execute("PRAGMA secure_delete = OFF");
  }
}

/** In one transaction: no reader sees it empty. Its triggers are not to hear of it. */
async function rewriteTable(db: Client, name: string): Promise<void> {
  const table = `"${name}"`;
  const { rows: triggers } = await db.execute({ sql: TRIGGERS, args: [name] });
  const statements: InStatement[] = [
    ...triggers.map((trigger) => `DROP TRIGGER "${trigger.name}"`),
    `CREATE TABLE being_rewritten AS SELECT * FROM ${table} ORDER BY rowid`,
    `DELETE FROM ${table}`,
    `INSERT INTO ${table} SELECT * FROM being_rewritten ORDER BY rowid`,
    "DROP TABLE being_rewritten",
    ...triggers.map((trigger) => String(trigger.sql)),
  ];
  await db.batch(statements, "write");
}

/** Zeros in a table that takes them all up, and then gives them back: a page freed where it was taken is not written. */
async function overwriteFreePages(db: Client): Promise<void> {
  const { rows: [free] } = await db.execute(FREE_BYTES);
  const fillers = Math.ceil(Number(free!.bytes) / FILLER);
  await db.batch([
    "DROP TABLE IF EXISTS being_overwritten",
    "CREATE TABLE being_overwritten (zeros)",
    {
      sql: `WITH RECURSIVE n(i) AS (SELECT 1 WHERE ?1 > 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO being_overwritten SELECT zeroblob(${FILLER}) FROM n`,
      args: [fillers],
    },
  ], "write");
  // Another round may have done it.
  await db.execute("DROP TABLE IF EXISTS being_overwritten");
}
