import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { startHranaServer } from "../testing/hrana_server.ts";
import { connectDatabase } from "./connect.ts";

Deno.test("connectDatabase() makes the file and its folder, by each way to write a file URL", async () => {
  await using folder = await makeFolder();
  const relativePath = relative(Deno.cwd(), join(folder.path, "a b", "relative.db"));
  const urls = [
    `file:${folder.path}/new/folder/a.db`,
    `file://${folder.path}/b.db`,
    `file://localhost${folder.path}/c.db`,
    `file:${relativePath.replace(" ", "%20")}`,
  ];
  for (const url of urls) {
    const db = await connectDatabase(url);
    assert.equal(db.protocol, "file");
    const { rows } = await db.batch(
      ["PRAGMA journal_mode", "PRAGMA synchronous", "PRAGMA foreign_keys"],
      "write",
    )
      .then((results) => ({ rows: results.map((result) => result.rows[0][0]) }));
    assert.deepEqual(rows, ["wal", 2, 1], url);
    db.close();
  }
  assert.ok((await Deno.stat(join(folder.path, "a b", "relative.db"))).isFile);
});

Deno.test("connectDatabase() opens a remote database with its token", async () => {
  await using folder = await makeFolder();
  const server = startHranaServer({ path: join(folder.path, "remote.db"), authToken: "let me in" });
  const db = await connectDatabase(server.url, "let me in");
  assert.equal((await db.execute("SELECT 1 AS one")).rows[0].one, 1);
  const stranger = await connectDatabase(server.url, "a guess");
  await assert.rejects(stranger.execute("SELECT 1"), /401/);
  db.close();
  stranger.close();
  await server.close();
});

Deno.test("connectDatabase() says in one sentence why a file cannot be opened", async () => {
  await using folder = await makeFolder();
  const file = join(folder.path, "no_database");
  await writeFile(file, "This is a letter and no database, and it is long enough to be looked at.".repeat(9));
  await assert.rejects(connectDatabase(`file:${file}`), {
    message: `Cannot open the database file "${file}": SQLITE_NOTADB: file is not a database`,
  });
  await assert.rejects(
    connectDatabase(`file:${file}/below/a.db`),
    (error: Error) => error.message.startsWith(`Cannot open the database file "${file}/below/a.db": `),
  );
  await assert.rejects(connectDatabase(`file:${folder.path}`), {
    message:
      `Cannot open the database file "${folder.path}": SQLITE_ERROR: unable to open database file: ${folder.path}`,
  });
});

Deno.test("connectDatabase() refuses any other URL, and repeats no secret of it", async () => {
  const urls = [
    "shigur.db",
    "postgres://user:hidden@host/shigur",
    "file:",
    "file::memory:",
    "file://host/share/a.db",
    "file:a.db?authToken=hidden",
    "",
  ];
  for (const url of urls) {
    await assert.rejects(
      connectDatabase(url),
      (error: Error) =>
        error instanceof TypeError && /Cannot use/.test(error.message) && !/hidden/.test(error.message),
      url,
    );
  }
});

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), "shigur-connect-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
