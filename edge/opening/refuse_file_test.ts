import assert from "node:assert/strict";
import { copyFile, readFile, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withFolder } from "../testing/edge_process.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { refuseFile, refuseForeignLog } from "./refuse_file.ts";
import { DatabaseRefusedError } from "./refused_error.ts";

const ROWS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)";
const ADD =
  `${ROWS} INSERT INTO activity (at, kind, code, data) SELECT i, 'info', 'site_created', '{}' FROM n`;

for (const isLinked of [false, true]) {
  const where = isLinked ? " behind a link" : "";

  Deno.test(`refuseFile() and refuseForeignLog() refuse an older file${where} under the log of the one before it`, async () => {
    await withFolder(async (folder) => {
      const real = join(folder, "real.db");
      const path = isLinked ? join(folder, "shigur.db") : real;
      await using made = await openTestDatabase();
      await copyFile(made.path, real);
      if (isLinked) await symlink(real, path);
      await copyFile(real, join(folder, "older.db"));
      await leaveLog(folder, real);
      const config = { dataDir: folder, databaseUrl: `file:${path}`, keepsFiles: true };
      await refuseFile(config);
      await refuseForeignLog(config.databaseUrl);
      // The close above folded the log; make one again and put the older file beside it.
      await leaveLog(folder, real);
      await copyFile(join(folder, "older.db"), real);
      await assert.rejects(refuseFile(config), refusal);
      await assert.rejects(refuseForeignLog(config.databaseUrl), refusal);
    });
  });
}

for (const pageSize of [4_096, 65_536]) {
  Deno.test(`refuseFile() refuses a file of pages of ${pageSize} bytes that is cut short, also beside an empty log`, async () => {
    await withFolder(async (folder) => {
      const path = join(folder, "shigur.db");
      makeTables(path, pageSize);
      await writeFile(`${path}-wal`, "");
      const config = { dataDir: folder, databaseUrl: `file:${path}`, keepsFiles: true };
      await refuseFile(config);
      await truncate(path, pageSize);
      await assert.rejects(refuseFile(config), /is damaged: its end is missing/);
    });
  });
}

Deno.test("refuseFile() accepts our database with another first table or a header without a page count", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "shigur.db");
    makeTables(path, 4_096);
    const bytes = await readFile(path);
    // SQLite before 3.7 wrote no page count; the old value in the field means nothing.
    bytes.writeUInt32BE(9_999, 28);
    bytes.writeUInt32BE(bytes.readUInt32BE(24) - 1, 92);
    await writeFile(path, bytes);
    await refuseFile({ dataDir: folder, databaseUrl: `file:${path}`, keepsFiles: true });
  });
});

function makeTables(path: string, pageSize: number): void {
  using db = new DatabaseSync(path);
  db.exec(`PRAGMA page_size = ${pageSize}; CREATE TABLE system (key); CREATE TABLE schema_migrations (name)`);
}

function refusal(error: unknown): boolean {
  return error instanceof DatabaseRefusedError &&
    /belong to different databases or are damaged/.test(error.message);
}

/** Writes to a database as an edge that is then killed: pages in the file, and newer ones in the log beside it. */
async function leaveLog(folder: string, path: string): Promise<void> {
  using db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA wal_autocheckpoint = 0");
  db.exec(ADD);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.exec("DELETE FROM activity WHERE id % 3 = 0");
  db.exec(ADD);
  for (const end of ["", "-wal"]) await copyFile(path + end, join(folder, `killed${end}`));
  db.close();
  for (const end of ["", "-wal"]) await copyFile(join(folder, `killed${end}`), path + end);
}
