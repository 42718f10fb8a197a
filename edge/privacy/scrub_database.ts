/** Removes erased data from the file's bytes: deleted rows leave copies in the free space of pages. */
import type { Client, InStatement } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";

/** Texts of events and of administrators' activity contain numbers too, and so does the index of contacts' values. */
const TEXT_TABLES = ["events", "activity", "import_chunks", "staged_chunks", "contact_blocks"];
const TABLES = `SELECT DISTINCT t.name, (SELECT wr FROM pragma_table_list(t.name)) AS "isOrdered"
  FROM sqlite_schema t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND (c.name = 'phone' OR t.name IN (SELECT value FROM json_each(?)))`;
const TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?";
const NEWEST = "SELECT max(database_at) AS at FROM erasures WHERE scrubbed_at IS NULL";
const SCRUBBED = "UPDATE erasures SET scrubbed_at = ? WHERE database_at <= ? AND scrubbed_at IS NULL";

/** Bytes of a row that fills free pages. */
const FILLER = 1_000_000;
const FREE_BYTES = "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size";

/** When each database's file was last rewritten. */
const rewrites = new WeakMap<Client, number>();

/**
 * Rewrites every table that holds numbers in place, overwrites the free pages, and empties the write-ahead log. Writers
 * wait meanwhile, some seconds per million rows; otherwise they pay nothing. It does not use VACUUM, which attaches a
 * second database: Deno allows that only to processes without any restriction. It does nothing to a remote database,
 * whose files belong to its host.
 */
export async function scrubDatabase({ db, now }: Pick<EdgeContext, "db" | "now">): Promise<void> {
  if (db.protocol !== "file") return;
  const at = now();
  const { rows: [newest] } = await db.execute(NEWEST);
  // Rewrite once: while a reader such as a backup blocks the checkpoint, another rewrite would only lengthen the log.
  if (Number(newest!.at) > (rewrites.get(db) ?? 0)) {
    await rewriteFile(db);
    rewrites.set(db, at);
  }
  // A reader blocks it: the next tick tries again.
  const { rows: [emptied] } = await db.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  if (emptied?.busy === 0) await db.execute({ sql: SCRUBBED, args: [at, rewrites.get(db)!] });
}

async function rewriteFile(db: Client): Promise<void> {
  const { rows } = await db.execute({ sql: TABLES, args: [JSON.stringify(TEXT_TABLES)] });
  // Overwrites freed cells and pages at once.
  await db.execute("PRAGMA secure_delete = ON");
  try {
    for (const { name, isOrdered } of rows) await rewriteTable(db, String(name), isOrdered === 1);
    await overwriteFreePages(db);
  } finally {
    await db.execute("PRAGMA secure_delete = OFF");
  }
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
 * Fills all free pages with a table of zeros and drops it. A page that is taken and freed in one transaction is never
 * written.
 */
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
  // An earlier round may have left it.
  await db.execute("DROP TABLE IF EXISTS being_overwritten");
}
