import assert from "node:assert/strict";
import { eq, gt, sql } from "drizzle-orm";
import { openTestDatabase, type TestDatabase } from "../testing/test_db.ts";
import {
  buildOnce,
  condition,
  everyColumn,
  execute,
  jsonOf,
  orNull,
  plainText,
  query,
  rowsAs,
  wholeNumber,
} from "./query.ts";
import { users } from "./schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "./write_batch.ts";

testClient("local");
testClient("remote");

function testClient(kind: "local" | "remote") {
  function test(name: string, act: (database: TestDatabase) => Promise<void>) {
    Deno.test(`on the ${kind} client ${name}`, async () => {
      await using database = await openTestDatabase({ remote: kind === "remote" });
      await act(database);
    });
  }

  test("a query of drizzle's builder writes, and reads rows with the types of the schema", async ({ db }) => {
    const { rows: [made] } = await execute(
      db,
      query.insert(users).values(person("dana")).returning({ id: users.id, disabled: users.disabled }),
    );
    assert.deepEqual(made, { id: made!.id, disabled: false });
    const changed = await execute(
      db,
      query.update(users).set({ disabled: true }).where(eq(users.id, made!.id)),
    );
    assert.deepEqual(changed, { rows: [], rowsAffected: 1 });
    const found = await execute(
      db,
      query.select({ disabled: users.disabled, until: users.firstPasswordUntil }).from(users),
    );
    assert.deepEqual(found.rows, [{ disabled: true, until: null }]);
    const none = await execute(db, query.delete(users).where(gt(users.id, made!.id)));
    assert.deepEqual(none, { rows: [], rowsAffected: 0 });
  });

  test("queries are steps of a batch, also right after another", async ({ db }) => {
    const { dana, noah, all } = await writeBatch(db, {
      dana: query.insert(users).values(person("dana")).returning({ id: users.id }),
      noah: rightAfter(
        "dana",
        query.update(users).set({ username: "noah" }).where(sql.raw(STEP_BEFORE_CHANGED)),
      ),
      all: query.select({ username: users.username }).from(users),
    });
    assert.equal(typeof dana.rows[0]!.id, "number");
    assert.equal(noah.rowsAffected, 1);
    assert.deepEqual(all.rows, [{ username: "noah" }]);
  });

  test("a query built once reads with other arguments each time", async ({ db }) => {
    await execute(db, query.insert(users).values([person("dana"), person("noah")]));
    const find = buildOnce(
      query.select({ id: users.id, disabled: users.disabled }).from(users)
        .where(eq(users.username, sql.placeholder("username"))),
    );
    const [dana, noah, nobody] = await Promise.all(
      ["dana", "noah", "nobody"].map((username) => find(db, { username })),
    );
    assert.deepEqual(dana!.rows.map(({ disabled }) => disabled), [false]);
    assert.notEqual(dana!.rows[0]!.id, noah!.rows[0]!.id);
    assert.deepEqual(nobody!.rows, []);
  });

  test("the same fields are read from statements with other columns", async ({ db }) => {
    await execute(db, query.insert(users).values([person("dana")]));
    const fields = { disabled: users.disabled, name: users.username };
    const inOrder = await db.execute("SELECT disabled, username FROM users");
    const byAlias = await db.execute(
      `SELECT 'noah' AS name, disabled, ${everyColumn(users, "u")} FROM users u`,
    );
    assert.deepEqual(rowsAs(inOrder, fields), [{ disabled: false, name: "dana" }]);
    assert.deepEqual(rowsAs(byAlias, fields), [{ disabled: false, name: "noah" }]);
    assert.deepEqual(rowsAs(inOrder, fields), [{ disabled: false, name: "dana" }]);
    const without = await db.execute("SELECT username FROM users");
    assert.throws(() => rowsAs(without, fields), TypeError);
  });

  test("plain SQL has typed rows by the columns of the schema", async ({ db }) => {
    await execute(db, query.insert(users).values([person("dana"), person("noah")]));
    const result = await db.execute(
      `SELECT min(created_at) AS created_at, count(*) AS total, max(role = 'client') AS "hasClient", disabled,
        first_password_until, min(username) AS by,
        min(username) || '!' AS "loudName",
        json_object('n', count(*)) AS figures, NULL AS missing FROM users`,
    );
    const [row] = rowsAs(result, {
      createdAt: users.createdAt,
      total: wholeNumber,
      hasClient: condition,
      disabled: users.disabled,
      until: users.firstPasswordUntil,
      by: users.username,
      loudName: plainText,
      figures: jsonOf<{ n: number }>(),
      missing: jsonOf(),
    });
    assert.deepEqual(row, {
      createdAt: 7,
      total: 2,
      hasClient: true,
      disabled: false,
      until: null,
      by: "dana",
      loudName: "dana!",
      figures: { n: 2 },
      missing: null,
    });
    assert.throws(() => rowsAs(result, { role: users.role }), /returns no column for "role"/);
    const empty = await db.execute("SELECT max(id) AS last FROM users WHERE 0");
    assert.throws(() => rowsAs(empty, { last: wholeNumber }), TypeError);
    const none: { last: number | null }[] = rowsAs(empty, { last: orNull(users.id) });
    assert.deepEqual(none, [{ last: null }]);
    assert.deepEqual(rowsAs(empty, { last: orNull(wholeNumber) }), none);
  });
}

Deno.test("a query does not run by itself: its round trip would not be counted", async () => {
  await assert.rejects(async () => await query.select().from(users), ({ cause }) => {
    return /runs in a batch/.test(String(cause));
  });
});

function person(username: string) {
  return { username, usernameKey: username, passwordHash: "", role: "client" as const, createdAt: 7 };
}
