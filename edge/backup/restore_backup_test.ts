/** Failures in the middle of a restore, and the resulting state of the database. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { ARCHIVE_MS } from "shared/lease.ts";
import { createSite } from "../sites/create_site.ts";
import type { EdgeContext } from "../context.ts";
import { connectDatabase } from "../db/connect.ts";
import { isCopyFile } from "../opening/refuse_file.ts";
import { refuseDatabase } from "../opening/refuse_database.ts";
import { type BackupGround, openBackupGround, rows } from "../testing/backup_ground.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { beginAgain } from "./begin_again.ts";
import { makeBackup } from "./make_backup.ts";
import { DATABASE_FILE } from "./manifest.ts";
import { restoreBackup } from "./restore_backup.ts";

const GENERATION = "SELECT value FROM system WHERE key = 'generation'";
const MARK = "INSERT INTO system (key, value) VALUES ('mark', 'live')";
const READ_MARK = "SELECT value FROM system WHERE key = 'mark'";

/** Returns parts that run `act` at the last moment: the draft is complete, and its place has been checked. */
function atTheLastMoment(ground: BackupGround, databasePath: string, act: () => void): EdgeContext {
  let hasActed = false;
  const now = () => {
    const [isMade, isOpen] = ["", "-wal"].map((end) => isThere(`${databasePath}.restoring${end}`));
    if (!hasActed && isMade && !isOpen) {
      hasActed = true;
      act();
    }
    return ground.fleet.ctx.now();
  };
  return { ...ground.fleet.ctx, now };
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function openLive(databasePath: string): DatabaseSync {
  const live = new DatabaseSync(databasePath);
  live.exec("PRAGMA journal_mode = WAL");
  live.exec(MARK);
  return live;
}

Deno.test("restoreBackup() refuses an edge that was started while the copy was prepared", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const databasePath = await ground.place(folder);
  let live: DatabaseSync | undefined;
  const randomBytes = (length: number) => {
    live ??= openLive(databasePath);
    return ground.fleet.ctx.randomBytes(length);
  };
  const restoring = restoreBackup({ ...ground.fleet.ctx, randomBytes }, { folder, databasePath });
  await assert.rejects(restoring, /in use/);
  live!.exec("PRAGMA wal_checkpoint");
  live!.close();
  assert.deepEqual(rows(databasePath, READ_MARK), ["live"]);
});

Deno.test("restoreBackup() puts a database back that an edge opened between the check and the rename", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const databasePath = await ground.place(folder);
  let live: DatabaseSync | undefined;
  const ctx = atTheLastMoment(ground, databasePath, () => live = openLive(databasePath));
  await assert.rejects(restoreBackup(ctx, { folder, databasePath }), /started during the restore/);
  live!.close();
  assert.deepEqual(rows(databasePath, READ_MARK), ["live"]);
  assert.ok(![...Deno.readDirSync(ground.folder)].some(({ name }) => /before|restoring/.test(name)));
});

Deno.test("restoreBackup() follows a link to the database, and finds the log beside the real file", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const file = await ground.place(folder);
  await Deno.mkdir(`${ground.folder}/data`);
  const databasePath = `${ground.folder}/data/shigur.db`;
  await Deno.symlink(file, databasePath);
  let live: DatabaseSync | undefined;
  const ctx = atTheLastMoment(ground, file, () => live = openLive(databasePath));
  await assert.rejects(restoreBackup(ctx, { folder, databasePath }), /started during the restore/);
  live!.close();
  assert.deepEqual(rows(databasePath, READ_MARK), ["live"]);
  const { putAside } = await restoreBackup(ground.fleet.ctx, { folder, databasePath });
  assert.ok((await Deno.lstat(databasePath)).isSymlink);
  assert.deepEqual([rows(databasePath, READ_MARK), rows(putAside!, READ_MARK)], [[], ["live"]]);
});

Deno.test("restoreBackup() leaves the database at its name when the last step fails", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const databasePath = await ground.place(folder);
  const before = rows(databasePath, GENERATION);
  const ctx = atTheLastMoment(ground, databasePath, () => Deno.removeSync(`${databasePath}.restoring`));
  await assert.rejects(restoreBackup(ctx, { folder, databasePath }), { code: "ENOENT" });
  assert.deepEqual(rows(databasePath, GENERATION), before);
  assert.ok(![...Deno.readDirSync(ground.folder)].some(({ name }) => name.includes("before")));
});

Deno.test("restoreBackup() replaces a damaged database only with force, and keeps its log", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const databasePath = `${ground.folder}/damaged.db`;
  const texts = new Map(["", "-wal", "-shm"].map((end) => [end, `what is left${end}`]));
  for (const [end, text] of texts) await Deno.writeTextFile(databasePath + end, text);
  await assert.rejects(restoreBackup(ground.fleet.ctx, { folder, databasePath }), /damaged.*--force/);
  for (const [end, text] of texts) assert.equal(await Deno.readTextFile(databasePath + end), text);
  const { putAside } = await restoreBackup(ground.fleet.ctx, { folder, databasePath, force: true });
  for (const [end, text] of texts) assert.equal(await Deno.readTextFile(putAside + end), text);
  assert.equal(rows(databasePath, GENERATION).length, 1);
  assert.ok(!isThere(`${databasePath}-wal`));
});

Deno.test("restoreBackup() uses nothing of a restore that was killed", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const databasePath = await ground.place(folder);
  const draft = `${databasePath}.restoring`;
  await Deno.copyFile(`${folder}/${DATABASE_FILE}`, `${ground.folder}/killed.db`);
  const killed = openLive(`${ground.folder}/killed.db`);
  for (const end of ["", "-wal"]) await Deno.copyFile(`${ground.folder}/killed.db${end}`, draft + end);
  killed.close();
  await restoreBackup(ground.fleet.ctx, { folder, databasePath });
  assert.deepEqual(rows(databasePath, READ_MARK), []);
});

Deno.test("restoreBackup() refuses a copy that kept its old generation", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const randomBytes = (length: number) => new Uint8Array(length).fill(7);
  const folder = await ground.back();
  const databasePath = await ground.place(folder);
  await restoreBackup({ ...fleet.ctx, randomBytes }, { folder, databasePath });
  const again = await makeBackup({ databasePath, under: ground.folder, now: fleet.ctx.now() + 1 });
  const before = rows(databasePath, "SELECT count(*) FROM audit_log");
  const restoring = restoreBackup({ ...fleet.ctx, randomBytes }, { folder: again, databasePath });
  await assert.rejects(restoring, /new generation/);
  assert.deepEqual(rows(databasePath, "SELECT count(*) FROM audit_log"), before);
});

Deno.test("beginAgain() that fails at any of its steps leaves the copy marked: no edge serves it (I2)", async (t) => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sendNew(fleet, 3);
  await createSite(fleet.ctx, "אתר");
  const copy = `${await ground.back()}/${DATABASE_FILE}`;
  // Old enough that the last step, a pause, has something to do.
  fleet.pass(2 * ARCHIVE_MS);
  const db = await connectDatabase(`file:${copy}`);
  const steps = ["UPDATE ON sites", "INSERT ON audit_log", "DELETE ON join_tokens", "UPDATE ON campaigns"];
  for (const step of steps) {
    await t.step(step, async () => {
      await db.execute(
        `CREATE TRIGGER disk_full BEFORE ${step} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
      );
      await assert.rejects(beginAgain({ ...fleet.ctx, db }), /the disk is full/);
      assert.equal(await isCopyFile(copy), true);
      await assert.rejects(refuseDatabase(db, fleet.ctx.audit), /backup's copy/);
      await db.execute("DROP TRIGGER disk_full");
    });
  }
  assert.equal(await beginAgain({ ...fleet.ctx, db }), 1);
  await refuseDatabase(db, fleet.ctx.audit);
  db.close();
  assert.equal(await isCopyFile(copy), false);
});

Deno.test("restoreBackup() records the restore outside the database when it is done, and not before", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const folder = await ground.back();
  const databasePath = await ground.place(folder);
  const appended: unknown[][] = [];
  const append = () => Promise.resolve(void appended.push(rows(databasePath, GENERATION)));
  const audit = { ...fleet.ctx.audit, heads: { ...fleet.ctx.audit.heads, append } };
  const live = openLive(databasePath);
  await assert.rejects(restoreBackup({ ...fleet.ctx, audit }, { folder, databasePath }), /in use/);
  live.close();
  assert.deepEqual(appended, []);
  await restoreBackup({ ...fleet.ctx, audit }, { folder, databasePath });
  assert.deepEqual(appended, [rows(databasePath, GENERATION)]);
});

Deno.test("restoreBackup() creates a database where there is none only when asked to", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const databasePath = `${ground.folder}/elsewhere.db`;
  await assert.rejects(restoreBackup(ground.fleet.ctx, { folder, databasePath }), /no database.*--new/);
  assert.ok(!isThere(databasePath));
});
