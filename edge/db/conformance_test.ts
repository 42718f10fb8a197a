/**
 * Behaviour that every part of the edge relies on, tested with the local client and with libSQL's own remote client.
 */
import { type InValue, LibsqlBatchError, LibsqlError } from "@libsql/client/web";
import assert from "node:assert/strict";
import { lockDatabase, queryInOtherProcess } from "../testing/other_process.ts";
import { openTestDatabase, type TestDatabase } from "../testing/test_db.ts";

const TABLES = `
  CREATE TABLE owners (id INTEGER PRIMARY KEY);
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owners (id), text TEXT UNIQUE, rank INTEGER CHECK (rank >= 0)
  );
  CREATE TABLE totals (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL);
  INSERT INTO totals VALUES (1, 0);
  CREATE TRIGGER notes_kept BEFORE DELETE ON notes BEGIN
    UPDATE totals SET amount = -1 WHERE id = 1;
    SELECT RAISE(ABORT, 'notes are kept');
  END;
`;
const INSERT = "INSERT INTO notes (text) VALUES (?)";

testClient("local");
testClient("remote");

function testClient(kind: "local" | "remote") {
  function test(name: string, act: (database: TestDatabase) => Promise<void>) {
    Deno.test({
      name: `the ${kind} client ${name}`,
      sanitizeOps: true,
      sanitizeResources: true,
      async fn() {
        await using database = await openTestDatabase({ remote: kind === "remote", migrated: false });
        await database.db.executeMultiple(TABLES);
        await act(database);
      },
    });
  }

  test("stores each type of value as the other does and gives it back", async ({ db }) => {
    const cases: [InValue, unknown, string][] = [
      [null, null, "null"],
      ["שלום \u{1F4E3}", "שלום \u{1F4E3}", "text"],
      ["", "", "text"],
      [7, 7, "real"],
      [-1.5, -1.5, "real"],
      [2 ** 53 - 1, 2 ** 53 - 1, "real"],
      [7n, 7, "integer"],
      [true, 1, "integer"],
      [false, 0, "integer"],
      [new Date(1_700_000_000_000), 1_700_000_000_000, "real"],
      [new Uint8Array([0, 255]), new Uint8Array([0, 255]).buffer, "blob"],
      [new Uint8Array([9]).buffer, new Uint8Array([9]).buffer, "blob"],
      [new Uint8Array(0), new ArrayBuffer(0), "blob"],
    ];
    for (const [value, expected, type] of cases) {
      const { rows } = await db.execute({ sql: "SELECT ?1 AS value, typeof(?1) AS type", args: [value] });
      assert.deepEqual({ ...rows[0] }, { value: expected, type });
    }
  });

  test("stores a whole number in an INTEGER column as an integer", async ({ db }) => {
    await db.execute({ sql: "INSERT INTO totals VALUES (?, ?)", args: [2, 972501234567] });
    const { rows } = await db.execute("SELECT amount, typeof(amount) AS type FROM totals WHERE id = 2");
    assert.deepEqual({ ...rows[0] }, { amount: 972501234567, type: "integer" });
  });

  test("refuses values that SQLite would store as something else", async ({ db }) => {
    for (const value of [NaN, Infinity, 2n ** 63n]) {
      await assert.rejects(db.execute({ sql: INSERT, args: [value] }), RangeError);
    }
  });

  test("refuses an integer that a JavaScript number cannot hold, and continues", async ({ db }) => {
    await assert.rejects(db.execute("SELECT 9007199254740993 AS big"), RangeError);
    await db.execute({ sql: INSERT, args: ["after"] });
    assert.equal((await db.execute("SELECT text FROM notes")).rows[0].text, "after");
  });

  test("returns rows by name and by index, the first of two equal names", async ({ db }) => {
    const { rows, columns } = await db.execute("SELECT 1 AS a, 'x' AS b, 2 AS a");
    assert.deepEqual(columns, ["a", "b", "a"]);
    assert.deepEqual({ ...rows[0] }, { a: 1, b: "x" });
    assert.deepEqual(Array.prototype.slice.call(rows[0]), [1, "x", 2]);
    assert.equal(rows[0].length, 3);
  });

  test("binds arguments by name, with or without the sign", async ({ db }) => {
    const sql = "SELECT :a AS a, @b AS b, $c AS c";
    const { rows } = await db.execute({ sql, args: { a: "x", "@b": "y", c: "z" } });
    assert.deepEqual({ ...rows[0] }, { a: "x", b: "y", c: "z" });
  });

  test("returns rows affected and the last row id, also with RETURNING", async ({ db }) => {
    const first = await db.execute({ sql: INSERT, args: ["a"] });
    assert.equal(first.rowsAffected, 1);
    assert.equal(first.lastInsertRowid, 1n);
    const second = await db.execute("INSERT INTO notes (text) VALUES ('b'), ('c') RETURNING id, text");
    assert.equal(second.rowsAffected, 2);
    assert.equal(second.lastInsertRowid, 3n);
    assert.deepEqual(second.rows.map((row) => [row.id, row.text]), [[2, "b"], [3, "c"]]);
    const none = await db.execute("UPDATE notes SET rank = 1 WHERE id > 100 RETURNING id");
    assert.equal(none.rowsAffected, 0);
    assert.equal((await db.execute("SELECT 1")).rowsAffected, 0);
  });

  test("refuses a second statement after the first", async ({ db }) => {
    await assert.rejects(
      db.execute("SELECT 1; DELETE FROM owners"),
      (error) => error instanceof LibsqlError && error.code === "SQL_MANY_STATEMENTS",
    );
    assert.equal((await db.execute("SELECT 1 AS one; -- no more")).rows[0].one, 1);
  });

  test("keeps nothing of a batch that fails, and names the failed statement", async ({ db }) => {
    await assert.rejects(
      db.batch([{ sql: INSERT, args: ["a"] }, [INSERT, ["b"]], { sql: INSERT, args: ["a"] }], "write"),
      (error) => error instanceof LibsqlBatchError && error.statementIndex === 2 && isUniqueViolation(error),
    );
    assert.equal((await db.execute("SELECT id FROM notes")).rows.length, 0);
    await db.execute({ sql: INSERT, args: ["a"] });
  });

  test("lets a statement of a batch see the changes of the one before it", async ({ db }) => {
    const results = await db.batch([
      "UPDATE totals SET amount = amount + 5 WHERE id = 1 AND amount = 0",
      "INSERT INTO notes (text, rank) SELECT 'won', changes() WHERE changes() = 1",
      "UPDATE totals SET amount = amount + 5 WHERE id = 1 AND amount = 0",
      "INSERT INTO notes (text, rank) SELECT 'won again', changes() WHERE changes() = 1",
      "SELECT text FROM notes",
    ], "write");
    assert.deepEqual(results.map((result) => result.rowsAffected), [1, 1, 0, 0, 0]);
    assert.deepEqual(results[4].rows.map((row) => row.text), ["won"]);
  });

  test("runs a batch without a mode as a write", async ({ db }) => {
    await Promise.all(Array.from({ length: 20 }, (_, i) =>
      db.batch([
        "SELECT amount FROM totals",
        "UPDATE totals SET amount = amount + 1",
        { sql: INSERT, args: [`note ${i}`] },
      ])));
    assert.equal((await db.execute("SELECT amount FROM totals")).rows[0].amount, 20);
  });

  test("shows nobody the rows of an open transaction", async ({ db }) => {
    const transaction = await db.transaction("write");
    await transaction.execute({ sql: INSERT, args: ["hidden"] });
    const count = "SELECT count(*) AS n FROM notes";
    assert.equal((await transaction.execute(count)).rows[0].n, 1);
    assert.equal((await db.execute(count)).rows[0].n, 0);
    assert.equal((await db.batch([count], "read"))[0].rows[0].n, 0);
    await transaction.commit();
    assert.equal((await db.execute(count)).rows[0].n, 1);
  });

  test("shows a read transaction one moment while others write", async ({ db }) => {
    const count = "SELECT count(*) AS n FROM notes";
    const transaction = await db.transaction("read");
    assert.equal((await transaction.execute(count)).rows[0].n, 0);
    await db.execute({ sql: INSERT, args: ["later"] });
    assert.equal((await transaction.execute(count)).rows[0].n, 0);
    transaction.close();
    assert.equal((await db.execute(count)).rows[0].n, 1);
  });

  test("lets a second writer wait for an open transaction", async ({ db }) => {
    const transaction = await db.transaction("write");
    await transaction.execute({ sql: INSERT, args: ["first"] });
    const second = db.execute({ sql: INSERT, args: ["second"] });
    const third = db.batch([{ sql: INSERT, args: ["third"] }], "write");
    assert.equal((await db.execute("SELECT count(*) AS n FROM notes")).rows[0].n, 0);
    await transaction.commit();
    await Promise.all([second, third]);
    assert.equal((await db.execute("SELECT count(*) AS n FROM notes")).rows[0].n, 3);
  });

  test("undoes a transaction that is rolled back or closed, and refuses to continue it", async ({ db }) => {
    for (const end of ["rollback", "close"] as const) {
      const transaction = await db.transaction("write");
      await transaction.execute({ sql: INSERT, args: [end] });
      await transaction[end]();
      assert.equal(transaction.closed, true);
      await assert.rejects(
        transaction.execute("SELECT 1"),
        (error) => error instanceof LibsqlError && error.code === "TRANSACTION_CLOSED",
      );
      await assert.rejects(transaction.commit(), LibsqlError);
    }
    assert.equal((await db.execute("SELECT count(*) AS n FROM notes")).rows[0].n, 0);
  });

  test("continues a transaction after one of its statements failed", async ({ db }) => {
    const transaction = await db.transaction("write");
    await transaction.batch([{ sql: INSERT, args: ["a"] }]);
    await assert.rejects(transaction.execute({ sql: INSERT, args: ["a"] }), isUniqueViolation);
    await transaction.execute({ sql: INSERT, args: ["b"] });
    await transaction.commit();
    assert.equal((await db.execute("SELECT count(*) AS n FROM notes")).rows[0].n, 2);
  });

  test("loses none of 100 parallel inserts", async ({ db, path }) => {
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => db.execute({ sql: INSERT, args: [`note ${i}`] })),
    );
    assert.deepEqual(await queryInOtherProcess(path, "SELECT count(*) AS n FROM notes"), [{ n: 100 }]);
  });

  test("loses no update of parallel transactions, batches and single writes", async ({ db, path }) => {
    async function addInTransaction() {
      const transaction = await db.transaction("write");
      const { rows } = await transaction.execute("SELECT amount FROM totals WHERE id = 1");
      await transaction.execute({
        sql: "UPDATE totals SET amount = ? WHERE id = 1",
        args: [Number(rows[0].amount) + 1],
      });
      await transaction.commit();
    }
    await Promise.all(
      Array.from({ length: 20 }, () => [
        addInTransaction(),
        db.execute("UPDATE totals SET amount = amount + 1 WHERE id = 1"),
        db.batch(["UPDATE totals SET amount = amount + 1 WHERE id = 1"], "write"),
      ]).flat(),
    );
    assert.deepEqual(await queryInOtherProcess(path, "SELECT amount FROM totals"), [{ amount: 60 }]);
  });

  test("passes on a trigger's refusal, and undoes what the trigger did before", async ({ db }) => {
    await db.execute({ sql: INSERT, args: ["a"] });
    await assert.rejects(
      db.execute("DELETE FROM notes"),
      (error) =>
        error instanceof LibsqlError && error.code === "SQLITE_CONSTRAINT" &&
        /notes are kept/.test(error.message),
    );
    await assert.rejects(
      db.batch([{ sql: INSERT, args: ["b"] }, "DELETE FROM notes"], "write"),
      /notes are kept/,
    );
    const [totals, notes] = await db.batch(["SELECT amount FROM totals", "SELECT text FROM notes"], "read");
    assert.equal(totals.rows[0].amount, 0);
    assert.deepEqual(notes.rows.map((row) => row.text), ["a"]);
  });

  test("distinguishes a broken UNIQUE rule from the other rules", async ({ db }) => {
    await db.execute({ sql: INSERT, args: ["a"] });
    const broken = await Promise.all([
      db.execute({ sql: INSERT, args: ["a"] }),
      db.execute("INSERT INTO notes (id) VALUES (1)"),
      db.execute("INSERT INTO notes (rank) VALUES (-1)"),
      db.execute("INSERT INTO notes (owner) VALUES (99)"),
      db.execute("INSERT INTO totals (amount) VALUES (NULL)"),
    ].map((promise) => promise.then(() => assert.fail("a rule was not kept"), (error) => error)));
    assert.deepEqual(broken.map((error) => error.code), Array(5).fill("SQLITE_CONSTRAINT"));
    assert.deepEqual(broken.map(isUniqueViolation), [true, true, false, false, false]);
  });

  test("inserts 20,000 rows from one JSON argument", async ({ db }) => {
    const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `05${i}`));
    const sql = "INSERT INTO notes (text) SELECT value FROM json_each(?)";
    assert.equal((await db.execute({ sql, args: [rows] })).rowsAffected, 20_000);
    const { rows: last } = await db.execute("SELECT text FROM notes ORDER BY id DESC LIMIT 1");
    assert.equal(last[0].text, "0519999");
  });

  test("stops a sequence at the statement that fails", async ({ db }) => {
    await assert.rejects(
      db.executeMultiple(`
        INSERT INTO notes (text) VALUES ('one; still one'); -- a comment; with a semicolon
        INSERT INTO nowhere VALUES (1);
        INSERT INTO notes (text) VALUES ('two');
      `),
      LibsqlError,
    );
    const { rows } = await db.execute("SELECT text FROM notes");
    assert.deepEqual(rows.map((row) => row.text), ["one; still one"]);
  });

  test("sees a column that was added while its statement was prepared", async ({ db }) => {
    await db.execute("SELECT * FROM owners");
    await db.execute("ALTER TABLE owners ADD COLUMN name TEXT DEFAULT 'n'");
    await db.execute("INSERT INTO owners (id) VALUES (1)");
    const { rows } = await db.execute("SELECT * FROM owners");
    assert.deepEqual({ ...rows[0] }, { id: 1, name: "n" });
  });

  test("finds a column by its new name after its statement was prepared", async ({ db }) => {
    await db.execute("INSERT INTO owners (id) VALUES (1)");
    const every = [
      "SELECT * FROM owners",
      "SELECT DISTINCT * FROM owners",
      "SELECT 1 AS one, * FROM owners",
      "SELECT o.* FROM owners o",
      "INSERT INTO owners DEFAULT VALUES RETURNING *",
    ];
    for (const sql of every) assert.equal("id" in (await db.execute(sql)).rows[0], true, sql);
    await db.execute("ALTER TABLE owners RENAME COLUMN id TO number");
    for (const sql of every) assert.equal("number" in (await db.execute(sql)).rows[0], true, sql);
  });

  test("refuses all work once it is closed", async ({ db }) => {
    db.close();
    assert.equal(db.closed, true);
    await assert.rejects(async () => await db.execute("SELECT 1"), LibsqlError);
    await assert.rejects(async () => await db.batch([{ sql: INSERT, args: ["a"] }], "write"), LibsqlError);
  });

  test("waits while another process writes, and loses nothing afterwards", async ({ db, path }) => {
    await using lock = await lockDatabase(path);
    const waiting = [
      db.execute({ sql: INSERT, args: ["single"] }),
      db.batch([{ sql: INSERT, args: ["batch"] }], "write"),
    ];
    // Reads continue while the transaction is open.
    for (let i = 0; i < 5; i++) {
      assert.equal((await db.execute("SELECT count(*) AS n FROM notes")).rows[0].n, 0);
    }
    await lock.release();
    await Promise.all(waiting);
    for (let i = 0; i < 10; i++) await db.execute({ sql: INSERT, args: [`later ${i}`] });
    assert.deepEqual(await queryInOtherProcess(path, "SELECT count(*) AS n FROM notes"), [{ n: 12 }]);
  });
}

/**
 * Returns whether an error is of a unique constraint: a remote database gives all constraints one code, so only the
 * text differs.
 */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof LibsqlError && error.code === "SQLITE_CONSTRAINT" &&
    error.message.includes("UNIQUE constraint failed: ");
}
