import assert from "node:assert/strict";
import { lockDatabase, queryInOtherProcess } from "../testing/other_process.ts";
import { openTestDatabase } from "../testing/test_db.ts";

/**
 * Keeps its statements: garbage collection would finalize the refused one, and so remove the cause of the lost writes.
 */
const WRITER = `
  import { createClient } from "@libsql/client";
  import { createRequire } from "node:module";
  const { prototype } = createRequire(import.meta.resolve("@libsql/client"))("libsql");
  const { prepare } = prototype;
  const kept = [];
  prototype.prepare = function (sql) {
    kept.push(prepare.call(this, sql));
    return kept.at(-1);
  };
  const db = createClient({ url: Deno.args[0] });
  const input = Deno.stdin.readable.getReader();
  await db.execute("INSERT INTO notes VALUES ('before')").then(() => console.log("wrote"), (e) => console.log(e.code));
  await input.read();
  for (let i = 0; i < 10; i++) {
    await db.execute("INSERT INTO notes VALUES ('after')").then(() => console.log("wrote"), (e) => console.log(e.code));
  }
  db.close();
`;

/**
 * The reason for local_client.ts. When this test fails, libsql has fixed its addon (libsql-client-ts#352), and
 * `@libsql/client` may serve `file:` URLs again.
 */
Deno.test("the native libsql addon still confirms writes and loses them after one SQLITE_BUSY", async () => {
  await using database = await openTestDatabase({ migrated: false });
  await database.db.execute("CREATE TABLE notes (text)");
  database.db.close();
  await using lock = await lockDatabase(database.path);
  const writer = new Deno.Command(Deno.execPath(), {
    args: ["eval", WRITER, database.url],
    // The folder of deno.json and its import map.
    cwd: new URL("../../", import.meta.url),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = writer.stdout.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await lines.read()).value, "SQLITE_BUSY\n");
  await lock.release();
  await writer.stdin.close();

  let later = "";
  for (let part = await lines.read(); !part.done; part = await lines.read()) later += part.value;
  await writer.status;
  const confirmed = later.split("\n").filter((line) => line === "wrote").length;
  const [{ n: kept }] = await queryInOtherProcess(database.path, "SELECT count(*) AS n FROM notes");
  assert.ok(confirmed > Number(kept), `${confirmed} confirmed, ${kept} kept`);
});
