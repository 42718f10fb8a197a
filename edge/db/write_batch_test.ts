import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { connectDatabase } from "./connect.ts";
import {
  readBatch,
  rightAfter,
  ROWS_OF_STEP_BEFORE,
  STEP_BEFORE_CHANGED,
  writeBatch,
} from "./write_batch.ts";

async function openNotes(): Promise<AsyncDisposable & { db: Client }> {
  const folder = await Deno.makeTempDir();
  const db = await connectDatabase(`file:${folder}/test.db`);
  await db.execute("CREATE TABLE notes (text TEXT NOT NULL)");
  return {
    db,
    async [Symbol.asyncDispose]() {
      db.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const READ = "SELECT text FROM notes ORDER BY rowid";

Deno.test("results are read by name, those of a list as a list, and an omitted step has none", async () => {
  await using house = await openNotes();
  const isWanted: boolean = false;
  const { added, lines, wanted, list, read } = await writeBatch(house.db, {
    added: "INSERT INTO notes VALUES ('a'), ('b')",
    none: [],
    lines: ["INSERT INTO notes VALUES ('c')", { sql: "INSERT INTO notes VALUES (?)", args: ["d"] }],
    wanted: isWanted ? "DELETE FROM notes" : undefined,
    list: isWanted ? ["DELETE FROM notes"] : undefined,
    read: READ,
  });
  assert.equal(added.rowsAffected, 2);
  assert.deepEqual(lines.map(({ rowsAffected }) => rowsAffected), [1, 1]);
  assert.equal(wanted?.rowsAffected, undefined);
  assert.equal(list?.length, undefined);
  assert.deepEqual(read.rows.map(({ text }) => text), ["a", "b", "c", "d"]);
});

Deno.test("a step after another acts only if that one changed a row, and sees how many", async () => {
  for (
    const [changed, expected] of [["SELECT 'a' WHERE 1", ["a", "1 row"]], ["SELECT 'a' WHERE 0", []]] as const
  ) {
    await using house = await openNotes();
    const { read } = await writeBatch(house.db, {
      added: `INSERT INTO notes ${changed}`,
      counted: rightAfter(
        "added",
        `INSERT INTO notes SELECT ${ROWS_OF_STEP_BEFORE} || ' row' WHERE ${STEP_BEFORE_CHANGED}`,
      ),
      read: READ,
    });
    assert.deepEqual(read.rows.map(({ text }) => text), expected);
  }
});

Deno.test("a step that does not directly follow the step it depends on is refused, and nothing runs", async () => {
  await using house = await openNotes();
  const following = rightAfter("added", `DELETE FROM notes WHERE ${STEP_BEFORE_CHANGED}`);
  for (
    const steps of [
      { following },
      { added: "INSERT INTO notes VALUES ('a')", between: "DELETE FROM notes", following },
      { following, added: "INSERT INTO notes VALUES ('a')" },
    ]
  ) {
    await assert.rejects(writeBatch(house.db, steps), /belongs right after "added", not after/);
  }
  assert.deepEqual((await house.db.execute(READ)).rows, []);
});

Deno.test("a step that depends on the step before without naming it is refused, and nothing runs", async () => {
  await using house = await openNotes();
  const added = "INSERT INTO notes VALUES ('a')";
  const unnamed = `DELETE FROM notes WHERE ${STEP_BEFORE_CHANGED}`;
  for (const asking of [unnamed, { sql: unnamed, args: [] }, [unnamed, added]]) {
    await assert.rejects(writeBatch(house.db, { added, asking }), /asks about "added", which rightAfter/);
  }
  assert.deepEqual((await house.db.execute(READ)).rows, []);
});

Deno.test("inside a list a statement may depend on the one before it", async () => {
  await using house = await openNotes();
  const counted = `INSERT INTO notes SELECT ${ROWS_OF_STEP_BEFORE} || ' rows' WHERE ${STEP_BEFORE_CHANGED}`;
  const { read } = await writeBatch(house.db, {
    added: ["INSERT INTO notes VALUES ('a'), ('b')", counted],
    read: READ,
  });
  assert.deepEqual(read.rows.map(({ text }) => text), ["a", "b", "2 rows"]);
});

Deno.test("named reads see one moment, and cannot write", async () => {
  await using house = await openNotes();
  await house.db.execute("INSERT INTO notes VALUES ('a')");
  const { count, texts } = await readBatch(house.db, {
    count: "SELECT count(*) AS count FROM notes",
    texts: [READ, READ],
  });
  assert.equal(count.rows[0]?.count, 1);
  assert.deepEqual(texts.map(({ rows }) => rows[0]?.text), ["a", "a"]);
  await assert.rejects(readBatch(house.db, { texts: READ, emptied: "DELETE FROM notes" }));
});

Deno.test("a transaction also runs named steps, and undoes them with it", async () => {
  await using house = await openNotes();
  const tx = await house.db.transaction("write");
  const { read } = await writeBatch(tx, { added: "INSERT INTO notes VALUES ('a')", read: READ });
  assert.equal(read.rows.length, 1);
  await tx.rollback();
  assert.deepEqual((await house.db.execute(READ)).rows, []);
});

Deno.test("all steps are one transaction: a failing step undoes those before it", async () => {
  await using house = await openNotes();
  await assert.rejects(
    writeBatch(house.db, {
      added: "INSERT INTO notes VALUES ('a')",
      failing: "INSERT INTO notes VALUES (NULL)",
    }),
    /NOT NULL/,
  );
  assert.deepEqual((await house.db.execute(READ)).rows, []);
});
