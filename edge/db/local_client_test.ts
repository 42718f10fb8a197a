import { LibsqlBatchError, LibsqlError } from "@libsql/client/web";
import assert from "node:assert/strict";
import { countTurns } from "../testing/count_turns.ts";
import { lockDatabase, queryInOtherProcess } from "../testing/other_process.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { LocalClient, type LocalClientOptions } from "./local_client.ts";

const INSERT = "INSERT INTO notes (text) VALUES (?)";
const COUNT = "SELECT count(*) AS n FROM notes";
const HOLD_A_MOMENT = `
  import { DatabaseSync } from "node:sqlite";
  const db = new DatabaseSync(Deno.args[0]);
  db.exec("BEGIN IMMEDIATE");
  console.log("locked");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  db.exec("COMMIT");
  db.close();
`;

Deno.test("LocalClient throws SQLITE_BUSY after the stated time and loses no later write", async () => {
  const slept: number[] = [];
  await using database = await openNotes({
    busyTimeoutMs: 200,
    // A fixed clock: a process that writes for a second makes a pause, and a stalled machine would look the same.
    clock: () => 0,
    random: () => 0.5,
    sleep: (ms) => (slept.push(ms), Promise.resolve()),
  });
  await using lock = await lockDatabase(database.path);
  const writes = [
    () => database.db.execute({ sql: INSERT, args: ["a"] }),
    () => database.db.batch([{ sql: INSERT, args: ["b"] }], "write"),
    () => database.db.transaction("write"),
    () => database.db.executeMultiple("INSERT INTO notes (text) VALUES ('c')"),
  ];
  for (const write of writes) {
    slept.length = 0;
    await assert.rejects(write(), isCode("SQLITE_BUSY"));
    assert.ok(slept.reduce((sum, ms) => sum + ms) >= 200);
    assert.deepEqual(slept.slice(0, 7), [1.5, 2, 3, 5, 6, 6, 6]);
    assert.equal(Math.max(...slept), 6);
  }
  await lock.release();
  for (let i = 0; i < 12; i++) await database.db.execute({ sql: INSERT, args: [`later ${i}`] });
  assert.deepEqual(await queryInOtherProcess(database.path, COUNT), [{ n: 12 }]);
});

Deno.test("LocalClient commits writes that arrive together once, and undoes only the failed ones", async () => {
  await using database = await openNotes();
  const walBytes = () => Deno.statSync(`${database.path}-wal`).size;
  await database.db.execute({ sql: INSERT, args: ["first"] });
  const before = walBytes();
  const add = (text: string) => ({ sql: INSERT, args: [text] });
  const writes = Array.from(
    { length: 50 },
    (_, i) => database.db.batch([add(`${i}`), add(`${i} too`)], "write"),
  );
  const failing = database.db.batch([add("undone"), "INSERT INTO nowhere VALUES (1)"], "write");
  const single = database.db.execute(add("single"));
  const wrong = database.db.execute("INSERT INTO notes (id, text) VALUES (1, 'taken')");

  await assert.rejects(failing, (error) => error instanceof LibsqlBatchError && error.statementIndex === 1);
  await assert.rejects(wrong, isCode("SQLITE_CONSTRAINT"));
  assert.equal((await single).rowsAffected, 1);
  for (const results of await Promise.all(writes)) assert.equal(results.length, 2);
  const { rows } = await database.db.execute("SELECT text FROM notes ORDER BY id");
  const expected = Array.from({ length: 50 }, (_, i) => [`${i}`, `${i} too`]).flat();
  assert.deepEqual(rows.map((row) => row.text), ["first", ...expected, "single"]);
  // Separate commits would have written their pages again.
  assert.ok(walBytes() - before < 10 * 4096, `${walBytes() - before} bytes`);
});

Deno.test("LocalClient yields to the event loop between long writes that arrived together", async () => {
  const clock = { now: 0 };
  await using database = await openNotes({ clock: () => clock.now += 30 });
  const committed: number[] = [];
  using turns = countTurns();
  await Promise.all(["a", "b", "c"].map(async (text) => {
    await database.db.execute({ sql: INSERT, args: [text] });
    committed.push(turns.count);
  }));
  assert.equal(new Set(committed).size, 3, `${committed}`);
  const { rows } = await database.db.execute("SELECT text FROM notes ORDER BY id");
  assert.deepEqual(rows.map((row) => row.text), ["a", "b", "c"]);
});

Deno.test("LocalClient yields to the event loop between reads that arrived together, also when callers work long", async () => {
  let now = 0;
  await using database = await openNotes({ clock: () => now });
  using turns = countTurns();
  const perTurn: number[] = [];
  const read = async (caller: number) => {
    const { rows } = await database.db.execute({ sql: "SELECT ? AS caller", args: [caller] });
    perTurn[turns.count] = (perTurn[turns.count] ?? 0) + 1;
    now += 5;
    return rows[0]!.caller;
  };
  const callers = Array.from({ length: 60 }, (_, caller) => caller);
  assert.deepEqual(await Promise.all(callers.map(read)), callers);
  const most = Math.max(...perTurn.map((reads) => reads ?? 0));
  assert.ok(most <= 8, `${most} in one turn of the loop`);
});

Deno.test("LocalClient rejects every call when writes that arrived together are all undone", async () => {
  await using database = await openNotes();
  await database.db.executeMultiple(
    "CREATE TRIGGER all_gone BEFORE INSERT ON notes WHEN NEW.text = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'gone'); END",
  );
  const written = await Promise.allSettled(
    ["good", "bad", "never"].map((text) => database.db.execute({ sql: INSERT, args: [text] })),
  );
  assert.deepEqual(written.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
  assert.equal((await database.db.execute(COUNT)).rows[0].n, 0);
  await database.db.execute({ sql: INSERT, args: ["later"] });
  assert.equal((await database.db.execute(COUNT)).rows[0].n, 1);
});

Deno.test("LocalClient starts a write at once when the other process releases the lock between two tries", async () => {
  let letGo: () => Promise<void> = () => Promise.resolve();
  await using database = await openNotes({ sleep: () => letGo() });
  await using lock = await lockDatabase(database.path);
  letGo = lock.release;
  await database.db.execute({ sql: INSERT, args: ["a"] });
  assert.equal((await database.db.execute(COUNT)).rows[0].n, 1);
});

Deno.test("LocalClient leaves the file to other processes for a moment when it writes without a pause", async () => {
  const clock = { now: 0 };
  const pauses: { ms: number; at: number }[] = [];
  const others: LocalClient[] = [];
  await using database = await openNotes({
    clock: () => clock.now,
    async sleep(ms, signal) {
      if (signal) return await new Promise((done) => signal.onabort = () => done());
      // The pause is longer than any sleep between two tries, and the file is free: the first try succeeds.
      pauses.push({ ms, at: clock.now });
      await others[0].execute({ sql: INSERT, args: ["other"] });
      clock.now += ms;
    },
  });
  others.push(new LocalClient(database.path, { sleep: () => Promise.reject(new Error("it had to wait")) }));
  const writeFor = async (ms: number) => {
    const transaction = await database.db.transaction("write");
    await transaction.execute({ sql: INSERT, args: ["own"] });
    clock.now += ms;
    await transaction.commit();
  };
  for (let i = 0; i < 25; i++) await writeFor(100);
  assert.deepEqual(pauses, [{ ms: 12, at: 1_100 }, { ms: 12, at: 2_212 }]);
  pauses.length = 0;
  for (let i = 0; i < 25; i++) {
    await writeFor(100);
    clock.now += 12;
  }
  assert.equal(pauses.length, 0, "whoever pauses by themselves is not held up");
  others[0].close();
});

Deno.test("LocalClient ends a forgotten transaction, so that it cannot stop all writers", async () => {
  const timers: (() => void)[] = [];
  await using database = await openNotes({
    transactionMaxMs: 10_000,
    sleep: (ms) => {
      assert.equal(ms, 10_000);
      return new Promise((resolve) => timers.push(resolve));
    },
  });
  const forgotten = await database.db.transaction("write");
  await forgotten.execute({ sql: INSERT, args: ["forgotten"] });
  const waiting = database.db.execute({ sql: INSERT, args: ["waiting"] });
  timers[0]();
  await waiting;
  await assert.rejects(forgotten.commit(), isCode("TRANSACTION_CLOSED"));
  const { rows } = await database.db.execute("SELECT text FROM notes");
  assert.deepEqual(rows.map((row) => row.text), ["waiting"]);
});

Deno.test("LocalClient refuses to write in a read batch or a read transaction", async () => {
  await using database = await openNotes();
  await assert.rejects(
    database.db.batch([COUNT, { sql: INSERT, args: ["a"] }], "read"),
    isCode("SQLITE_READONLY"),
  );
  const transaction = await database.db.transaction("read");
  await assert.rejects(transaction.execute({ sql: INSERT, args: ["a"] }), isCode("SQLITE_READONLY"));
  transaction.close();
  assert.equal((await database.db.execute(COUNT)).rows[0].n, 0);
});

Deno.test("LocalClient leaves no caller inside a transaction that a statement of another began", async () => {
  await using database = await openNotes();
  await database.db.execute("BEGIN");
  await database.db.execute({ sql: INSERT, args: ["a"] });
  assert.deepEqual(await queryInOtherProcess(database.path, COUNT), [{ n: 1 }]);
});

Deno.test("LocalClient refuses waiting calls when it is closed, and undoes the open transaction", async () => {
  await using database = await openNotes();
  const transaction = await database.db.transaction("write");
  await transaction.execute({ sql: INSERT, args: ["undone"] });
  const waiting = assert.rejects(database.db.execute({ sql: INSERT, args: ["a"] }), isCode("CLIENT_CLOSED"));
  database.db.close();
  assert.equal(transaction.closed, true);
  await waiting;
  database.db.reconnect();
  await database.db.execute({ sql: INSERT, args: ["after"] });
  assert.equal((await database.db.execute(COUNT)).rows[0].n, 1);
});

Deno.test("LocalClient migrates with foreign keys off, and keeps them otherwise", async () => {
  await using database = await openNotes();
  await database.db.executeMultiple("CREATE TABLE pages (note INTEGER REFERENCES notes (id))");
  await database.db.migrate(["INSERT INTO pages VALUES (99)"]);
  await assert.rejects(database.db.execute("INSERT INTO pages VALUES (98)"), isCode("SQLITE_CONSTRAINT"));
  await assert.rejects(
    database.db.migrate(["DELETE FROM pages", "DELETE FROM nowhere"]),
    isCode("SQLITE_ERROR"),
  );
  assert.equal((await database.db.execute("SELECT note FROM pages")).rows[0].note, 99);
});

Deno.test("LocalClient runs more different statements than it keeps prepared", async () => {
  await using database = await openNotes();
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 300; i++) await database.db.execute(`INSERT INTO notes (text) VALUES ('${i}')`);
  }
  assert.equal((await database.db.execute(COUNT)).rows[0].n, 600);
});

Deno.test("LocalClient waits for another process that is about to write to a file which is new", async () => {
  await using folder = await openTestDatabase({ migrated: false, under: DISK });
  const path = `${folder.path}.new`;
  const writer = new Deno.Command(Deno.execPath(), {
    args: ["eval", HOLD_A_MOMENT, path],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = writer.stdout.getReader();
  await lines.read();
  // The other process releases the file by itself: opening blocks this whole process.
  const db = new LocalClient(path);
  assert.equal((await db.execute("PRAGMA journal_mode")).rows[0][0], "wal");
  db.close();
  await lines.cancel();
  await writer.status;
});

Deno.test("LocalClient keeps every confirmed write after a kill of the process", async () => {
  await using database = await openNotes();
  const module = new URL("./local_client.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      `import { LocalClient } from ${JSON.stringify(module)};
       const db = new LocalClient(Deno.args[0]);
       for (let i = 0;; i++) {
         await db.execute({ sql: "${INSERT}", args: [String(i)] });
         Deno.stdout.writeSync(new Uint8Array([1]));
       }`,
      database.path,
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let confirmed = 0;
  for await (const chunk of child.stdout) {
    confirmed += chunk.length;
    if (confirmed > 50) tryKill(child);
  }
  await child.status;
  const { rows } = await database.db.execute(COUNT);
  assert.ok(Number(rows[0].n) >= confirmed, `${rows[0].n} rows of ${confirmed} confirmed`);
});

async function openNotes(options: Partial<LocalClientOptions> = {}) {
  const { db: first, path, close: remove } = await openTestDatabase({ migrated: false });
  await first.executeMultiple("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)");
  first.close();
  const db = new LocalClient(path, options);
  async function close() {
    db.close();
    await remove();
  }
  return { db, path, [Symbol.asyncDispose]: close };
}

function isCode(code: string) {
  return (error: unknown) => error instanceof LibsqlError && error.code === code;
}

function tryKill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // The process has already ended.
  }
}
