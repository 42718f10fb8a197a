import assert from "node:assert/strict";
import { openBackupGround, rows } from "../testing/backup_ground.ts";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

const NOBODY = 65534;

async function restore(dataDir: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...EDGE_PERMISSIONS, new URL("restore.ts", import.meta.url).pathname, ...args],
    env: { DATA_DIR: dataDir },
    stderr: "inherit",
  }).output();
  return { code, text: new TextDecoder().decode(stdout) };
}

Deno.test("restore.ts creates no database in a folder that was not named, and prints where it restored one", async () => {
  await using ground = await openBackupGround();
  const backup = await ground.back();
  const dataDir = `${ground.folder}/elsewhere`;
  const refused = await restore(dataDir, backup);
  assert.equal(refused.code, 1);
  assert.ok(refused.text.includes(`no database at ${dataDir}/shigur.db`), refused.text);
  await assert.rejects(Deno.stat(dataDir), Deno.errors.NotFound);
  const odd = await restore(dataDir, backup, "--anew");
  assert.deepEqual([odd.code, /Give the folder/.test(odd.text)], [1, true]);
  const done = await restore(dataDir, "--new", backup);
  assert.equal(done.code, 0, done.text);
  assert.ok(done.text.startsWith(`Restored ${dataDir}/shigur.db as of `), done.text);
});

Deno.test("restore.ts refuses another user's database: that user's edges could not open the new one", {
  ignore: Deno.uid() !== 0,
}, async () => {
  await using ground = await openBackupGround();
  const backup = await ground.back();
  const databasePath = await ground.place(backup);
  await Deno.chown(databasePath, NOBODY, NOBODY);
  const { code, text } = await restore(ground.folder, backup);
  assert.deepEqual([code, /belongs to another user/.test(text)], [1, true]);
  assert.equal((await Deno.stat(databasePath)).uid, NOBODY);
});

Deno.test("restore.ts requires the installation's key, because it signs the record of lost rows with it", async () => {
  await using ground = await openBackupGround();
  const backup = await ground.back();
  const databasePath = await ground.place(backup);
  const generation = rows(databasePath, "SELECT value FROM system WHERE key = 'generation'");
  const { code, text } = await restore(ground.folder, backup);
  assert.deepEqual([code, /APP_KEY is not set/.test(text)], [1, true]);
  assert.deepEqual(rows(databasePath, "SELECT value FROM system WHERE key = 'generation'"), generation);
});

Deno.test("restore.ts --new creates no key for a backup that only another key opens", async () => {
  await using ground = await openBackupGround();
  await ground.fleet.ctx.db.execute("INSERT INTO system (key, value) VALUES ('mark_key', 'sealed')");
  const backup = await ground.back();
  const dataDir = `${ground.folder}/elsewhere`;
  const { code, text } = await restore(dataDir, "--new", backup);
  assert.deepEqual([code, /has no app_key/.test(text)], [1, true], text);
  assert.deepEqual([...Deno.readDirSync(dataDir)], [], "the right key may still be brought");
});
