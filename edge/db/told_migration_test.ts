/** The effect of migration 0021 on sites that an earlier release enrolled. */
import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import { migrateDatabase, readSchema } from "./migrate.ts";

const MIGRATION = "0021_new_sites_have_told";

Deno.test("0021 marks earlier sites as having reported, except those that owe or were written off since the restore", async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { db } = database;
  const schema = await readSchema();
  const before = schema.migrations.filter(({ name }) => name < MIGRATION);
  await migrateDatabase(db, { migrations: before, rules: null });
  const add = (name: string, answered: string | null, told: string | null, key: string | null = name) => ({
    sql:
      `INSERT INTO sites (name, public_key, answered_generation, told_generation, created_at) VALUES (?, ?, ?, ?, 0)`,
    args: [name, key, answered, told],
  });
  const note = (kind: string, site: string | null) => ({
    sql:
      `INSERT INTO audit_log (at, kind, site, data) SELECT 0, ?, (SELECT id FROM sites WHERE name = ?), '{}'`,
    args: [kind, site],
  });
  await db.batch([
    "INSERT INTO system (key, value) VALUES ('generation', 'now')",
    add("new", "now", null),
    add("told", "now", "now"),
    add("owes", "before", "before"),
    add("written off before", "now", "before"),
    add("written off since", "now", "before"),
    add("made", null, null, null),
    note("site_written_off", "written off before"),
    note("database_restored", null),
    note("site_written_off", "written off since"),
  ], "write");
  await migrateDatabase(db, schema);
  const { rows } = await db.execute("SELECT name, told_generation AS told FROM sites ORDER BY id");
  assert.deepEqual(rows.map(({ name, told }) => [name, told]), [
    ["new", "now"],
    ["told", "now"],
    ["owes", "before"],
    ["written off before", "now"],
    ["written off since", "before"],
    ["made", null],
  ]);
});
