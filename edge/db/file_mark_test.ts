import assert from "node:assert/strict";
import { copyFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withFolder } from "../testing/edge_process.ts";
import { isUnderForeignLog, markFile } from "./file_mark.ts";

const OTHER = 7;
/** State on the disk after each step of markFile(). */
const KILLED_AFTER: [
  step: string,
  stateOf: (before: number, word: number) => [words: number[], word: number],
][] = [
  ["nothing", (before) => [[before], before]],
  ["both words are beside the file", (before, word) => [[before, word], before]],
  ["the new word is in the file", (before, word) => [[before, word], word]],
  ["the new word alone is beside the file", (_, word) => [[word], word]],
];

for (const [step, stateOf] of KILLED_AFTER) {
  Deno.test(`markFile() that is killed after this step still lets the file's log in: ${step}`, async () => {
    await withFolder(async (folder) => {
      const path = await makeFile(folder);
      const before = wordOf(path);
      const [words, word] = stateOf(before, OTHER);
      await writeFile(markOf(path), JSON.stringify(words));
      setWord(path, word);
      await leaveLog(folder, path);
      assert.equal(await isUnderForeignLog(path), false);
      await markFile(path);
      assert.deepEqual(await wordsOf(path), [wordOf(path)]);
      assert.ok(![before, OTHER].includes(wordOf(path)), "the next start gives another word");
      assert.deepEqual(valuesOf(path), ["in the log"], "the log is folded");
    });
  });
}

Deno.test("markFile() closes its file to other users", async () => {
  await withFolder(async (folder) => {
    assert.equal((await stat(markOf(await makeFile(folder)))).mode! & 0o777, 0o600);
  });
});

Deno.test("markFile() keeps the mark while another edge has the file open", async () => {
  await withFolder(async (folder) => {
    const path = await makeFile(folder);
    const word = wordOf(path);
    using other = new DatabaseSync(path);
    other.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES ('of the other edge')");
    await markFile(path);
    assert.equal(await isUnderForeignLog(path), false);
    assert.deepEqual([wordOf(path), await wordsOf(path)], [word, [word]]);
  });
});

Deno.test("isUnderForeignLog() detects an older file, also of a release that wrote no mark", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "shigur.db");
    makeTable(path);
    const unmarked = await readFile(path);
    await markFile(path);
    const older = await readFile(path);
    await markFile(path);
    await leaveLog(folder, path);
    for (const file of [unmarked, older]) {
      await writeFile(path, file);
      assert.equal(await isUnderForeignLog(path), true);
    }
    await rm(`${path}-wal`);
    assert.equal(await isUnderForeignLog(path), false, "without a log there is nothing to tell");
  });
});

Deno.test("isUnderForeignLog() accepts a file whose marks are missing or invalid", async () => {
  await withFolder(async (folder) => {
    const path = await makeFile(folder);
    await leaveLog(folder, path);
    for (const text of ["", "[]", "[1", '["a"]', "[1,2,3]"]) {
      await writeFile(markOf(path), text);
      assert.equal(await isUnderForeignLog(path), false, text);
    }
    await rm(markOf(path));
    assert.equal(await isUnderForeignLog(path), false);
  });
});

Deno.test("markFile() of a file that an earlier release wrote to after an update refuses nothing", async () => {
  await withFolder(async (folder) => {
    const path = await makeFile(folder);
    for (let start = 0; start < 2; start++) {
      using db = new DatabaseSync(path);
      db.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES ('of the earlier release')");
    }
    await leaveLog(folder, path);
    assert.equal(await isUnderForeignLog(path), false);
  });
});

function makeTable(path: string): void {
  using db = new DatabaseSync(path);
  db.exec("CREATE TABLE t (a)");
}

async function makeFile(folder: string): Promise<string> {
  const path = join(folder, "shigur.db");
  makeTable(path);
  await markFile(path);
  return path;
}

function markOf(path: string): string {
  return path.replace("shigur.db", "mark_of_shigur.db");
}

async function wordsOf(path: string): Promise<unknown> {
  return JSON.parse(await readFile(markOf(path), "utf8"));
}

function wordOf(path: string): number {
  using db = new DatabaseSync(path, { readOnly: true });
  return Number(db.prepare("PRAGMA user_version").get()!.user_version);
}

function setWord(path: string, word: number): void {
  using db = new DatabaseSync(path);
  db.exec(`PRAGMA user_version = ${word}`);
}

function valuesOf(path: string): unknown[] {
  using db = new DatabaseSync(path, { readOnly: true });
  return db.prepare("SELECT a FROM t").all().map(({ a }) => a);
}

/** Writes to the file as an edge that is killed after that. */
async function leaveLog(folder: string, path: string): Promise<void> {
  using db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES ('in the log')");
  for (const end of ["", "-wal"]) await copyFile(path + end, join(folder, `killed${end}`));
  db.close();
  for (const end of ["", "-wal"]) await copyFile(join(folder, `killed${end}`), path + end);
}
