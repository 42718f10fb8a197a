import assert from "node:assert/strict";
import { openDataDir } from "./data_dir.ts";

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
