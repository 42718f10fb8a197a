import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { BACKUPS_FOLDER } from "../backup/manifest.ts";
import { makeBackup } from "../backup/make_backup.ts";
import { openBackupGround } from "../testing/backup_ground.ts";
import { readFileFigures } from "./file_figures.ts";

Deno.test("readFileFigures() returns the database's size, the free room and the newest backup's age", async () => {
  await using ground = await openBackupGround();
  const { fleet, folder: dataDir } = ground;
  const databasePath = fleet.database.path;
  const read = () => readFileFigures({ databasePath, dataDir }, fleet.ctx.now());
  // New data is in the log first.
  await fleet.addClient(1);
  const { databaseBytes, freeBytes, backupAgeSeconds } = await read();
  assert.ok(databaseBytes > (await stat(databasePath)).size);
  assert.ok(freeBytes > 0);
  assert.equal(backupAgeSeconds, null);
  await makeBackup({ databasePath, under: join(dataDir, BACKUPS_FOLDER), now: fleet.ctx.now() });
  fleet.pass(90_000);
  assert.equal((await read()).backupAgeSeconds, 90);
  // After the clock was set back the age is 0, never negative.
  fleet.pass(-200_000);
  assert.equal((await read()).backupAgeSeconds, 0);
  await assert.rejects(readFileFigures({ databasePath: join(dataDir, "gone.db"), dataDir }, 0));
});
