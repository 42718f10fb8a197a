import type { Client } from "@libsql/client/web";

const TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";

/** Returns every row of every table, to compare two moments. Leaves out the time of a site's last frame. */
export async function allRows(db: Pick<Client, "batch">): Promise<Record<string, unknown[]>> {
  const [named] = await db.batch([TABLES], "read");
  const tables = named!.rows.map(({ name }) => String(name));
  const read = await db.batch(tables.map((table) => `SELECT * FROM ${table}`), "read");
  return Object.fromEntries(
    tables.map((table, no) => [table, read[no]!.rows.map((row) => ({ ...row, last_seen_at: null }))]),
  );
}
