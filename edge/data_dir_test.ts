import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError } from "./config.ts";
import { openDataDir, refuseLostDatabase } from "./data_dir.ts";

const NOBODY = 65534;

Deno.test("openDataDir() takes a folder of another user in which this one may write", {
  ignore: Deno.uid() !== 0,
}, async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.chown(folder, NOBODY, NOBODY);
    await openDataDir(folder);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("refuseLostDatabase() lets no empty database take the place of one that is gone", async () => {
  const dataDir = await Deno.makeTempDir();
  const path = join(dataDir, "shigur.db");
  const place = { dataDir, databaseUrl: `file:${path}` };
  try {
    await refuseLostDatabase(place);
    await Deno.writeTextFile(join(dataDir, "audit_heads.jsonl"), "{}\n");
    await assert.rejects(refuseLostDatabase(place), ConfigError);
    await refuseLostDatabase({ dataDir, databaseUrl: "libsql://database.example" });
    await Deno.writeTextFile(path, "");
    await refuseLostDatabase(place);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
