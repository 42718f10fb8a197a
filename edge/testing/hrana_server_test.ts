import { LibsqlError } from "@libsql/client/web";
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { HRANA_REQUEST, HranaStream } from "./hrana_stream.ts";
import { openTestDatabase } from "./test_db.ts";

Deno.test("startHranaServer() ends an idle stream and its transaction", async () => {
  await using database = await openTestDatabase({ remote: true, migrated: false, streamExpiryMs: 10 });
  await database.db.execute("CREATE TABLE notes (text)");
  const forgotten = await database.db.transaction("write");
  await forgotten.execute("INSERT INTO notes VALUES ('forgotten')");
  await database.db.execute("INSERT INTO notes VALUES ('waiting')");
  await assert.rejects(
    forgotten.commit(),
    (error) => error instanceof LibsqlError && error.code === "STREAM_EXPIRED",
  );
  const { rows } = await database.db.execute("SELECT text FROM notes");
  assert.deepEqual(rows.map((row) => row.text), ["waiting"]);
});

Deno.test("startHranaServer() accepts each baton once", async () => {
  await using database = await openTestDatabase({ remote: true, migrated: false });
  const opened = await post(database.url, { requests: [{ type: "get_autocommit" }] });
  const { baton, results } = await opened.json();
  assert.deepEqual(results, [{ type: "ok", response: { type: "get_autocommit", is_autocommit: true } }]);
  const closed = await post(database.url, { baton, requests: [{ type: "close" }] });
  assert.equal((await closed.json()).baton, null);
  const again = await post(database.url, { baton, requests: [{ type: "close" }] });
  assert.deepEqual([again.status, (await again.json()).code], [400, "STREAM_EXPIRED"]);
});

Deno.test("HranaStream begins a transaction once, also when the file is locked from then on", async () => {
  await using database = await openTestDatabase({ remote: true, migrated: false });
  const holder = new DatabaseSync(database.path);
  holder.exec("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE held (id INTEGER)");
  const stream = new HranaStream(database.path);
  // BEGIN itself takes no lock. A read after it, in the same turn of the loop, meets this lock.
  const begun = stream.answer(HRANA_REQUEST.parse({ type: "execute", stmt: { sql: "BEGIN" } }));
  await new Promise((done) => setImmediate(done));
  holder.close();
  assert.equal((await begun).type, "ok");
  stream.close();
});

Deno.test("startHranaServer() refuses a body that is not a pipeline", async () => {
  await using database = await openTestDatabase({ remote: true, migrated: false });
  for (const body of [{}, { requests: [{ type: "describe", sql: "SELECT 1" }] }, { requests: "SELECT 1" }]) {
    const response = await post(database.url, body);
    assert.equal(response.status, 400);
    await response.body?.cancel();
  }
  const elsewhere = await fetch(`${database.url}/v3/cursor`, { method: "POST" });
  assert.equal(elsewhere.status, 404);
  await elsewhere.body?.cancel();
});

function post(url: string, body: unknown): Promise<Response> {
  return fetch(`${url}/v2/pipeline`, { method: "POST", body: JSON.stringify(body) });
}

Deno.test("startHranaServer() reports every statement that changed rows, and no other", async () => {
  const changed: [string, number][] = [];
  await using database = await openTestDatabase({
    remote: true,
    migrated: false,
    onChange: (sql, rows) => changed.push([sql, rows]),
  });
  await database.db.execute("CREATE TABLE notes (text)");
  await database.db.batch(["INSERT INTO notes VALUES ('a'), ('b')", "SELECT * FROM notes"], "write");
  await database.db.execute("UPDATE notes SET text = 'c' WHERE text = 'nobody'");
  const writes = changed.filter(([sql]) => /notes/.test(sql));
  assert.deepEqual(writes, [["INSERT INTO notes VALUES ('a'), ('b')", 2]]);
});
