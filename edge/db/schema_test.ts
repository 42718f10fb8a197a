import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import * as schema from "./schema.ts";

const TABLES = Object.values(schema).filter((value) => is(value, SQLiteTable)).map(getTableConfig);

Deno.test("schema.ts and the migrated database have the same tables and columns", async () => {
  await using database = await openTestDatabase();
  const { rows } = await database.db.execute(
    `SELECT t.name AS "table", c.name AS "column", lower(c.type) AS type, c."notnull" AS required, c.pk > 0 AS "key"
     FROM sqlite_schema t, pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'schema_migrations'`,
  );
  const migrated = rows.map((
    row,
  ) => [row.table, row.column, row.type, Boolean(row.required), Boolean(row.key)]);
  const declared = TABLES.flatMap(({ name: table, columns, primaryKeys }) => {
    const keys = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
    return columns.map((column) => [
      table,
      column.name,
      column.getSQLType(),
      column.notNull,
      column.primary || keys.has(column.name),
    ]);
  });
  assert.deepEqual(inOrder(migrated), inOrder(declared));
});

Deno.test("schema.ts and the migrated database have the same indexes", async () => {
  await using database = await openTestDatabase();
  const { rows } = await database.db.execute(
    `SELECT t.name AS "table", i.name AS "index", i."unique", i.partial,
       (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS columns
     FROM sqlite_schema t, pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin = 'c'`,
  );
  const migrated = rows.map((
    row,
  ) => [row.table, row.index, Boolean(row.unique), Boolean(row.partial), row.columns]);
  const declared = TABLES.flatMap(({ name: table, indexes, columns }) => [
    ...indexes.map(({ config }) => [
      table,
      config.name,
      config.unique,
      config.where !== undefined,
      config.columns.map((column) => "name" in column ? column.name : null).join(),
    ]),
    ...columns.filter((column) => column.isUnique)
      .map((column) => [table, column.uniqueName, true, false, column.name]),
  ]);
  assert.deepEqual(inOrder(migrated), inOrder(declared));
});

function inOrder(rows: unknown[][]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
