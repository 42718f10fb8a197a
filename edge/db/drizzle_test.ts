import { eq, is, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import { createDrizzle } from "./drizzle.ts";
import * as schema from "./schema.ts";
import { isUniqueViolation } from "./sqlite_error.ts";

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

for (const remote of [false, true]) {
  Deno.test(`createDrizzle() queries, batches and transacts on a ${remote ? "remote" : "local"} database`, async () => {
    await using database = await openTestDatabase({ remote });
    const orm = createDrizzle(database.db);
    const user = {
      username: "Dana",
      usernameKey: "dana",
      passwordHash: "x",
      role: "client",
      createdAt: 1,
    } as const;
    const [made] = await orm.insert(schema.users).values(user).returning();
    assert.deepEqual([made.disabled, made.messageQuota, made.username], [false, 0, "Dana"]);
    await assert.rejects(
      orm.insert(schema.users).values(user),
      (error) => isUniqueViolation(error, "users.username_key"),
    );

    const where = eq(schema.users.id, made.id);
    await assert.rejects(
      orm.transaction(async (transaction) => {
        await transaction.update(schema.users).set({ leaseTurn: 100 }).where(where);
        throw new Error("changed my mind");
      }),
      /changed my mind/,
    );
    const oneMore = { leaseTurn: sql`${schema.users.leaseTurn} + 1` };
    await Promise.all(
      Array.from({ length: 10 }, () => [
        orm.transaction((transaction) => transaction.update(schema.users).set(oneMore).where(where)),
        orm.update(schema.users).set(oneMore).where(where),
        orm.batch([orm.update(schema.users).set(oneMore).where(where), orm.select().from(schema.users)]),
      ]).flat(),
    );
    assert.equal((await orm.query.users.findFirst({ where }))?.leaseTurn, 30);
  });
}

function inOrder(rows: unknown[][]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
