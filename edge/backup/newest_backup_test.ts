import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBackupGround } from "../testing/backup_ground.ts";
import { MANIFEST_FILE } from "./manifest.ts";
import { readNewestBackup } from "./newest_backup.ts";

Deno.test("readNewestBackup() returns when the newest finished backup began, or that there is none", async () => {
  await using ground = await openBackupGround();
  const read = () => readNewestBackup(ground.folder);
  assert.equal(await readNewestBackup(join(ground.folder, "nowhere")), null);
  assert.equal(await read(), null);
  await ground.back();
  assert.equal(await read(), ground.fleet.ctx.now());
  ground.fleet.pass(60_000);
  const newest = await ground.back();
  await mkdir(`${newest.replace("2026", "2027")}.part`);
  await writeFile(join(ground.folder, "notes.txt"), "");
  assert.equal(await read(), ground.fleet.ctx.now());
  await rm(join(newest, MANIFEST_FILE));
  assert.equal(await read(), null, "an older one is not taken for the newest");
});
