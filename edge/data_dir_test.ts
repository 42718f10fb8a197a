import assert from "node:assert/strict";
import { ConfigError } from "./config.ts";
import { openDataDir } from "./data_dir.ts";

const NOBODY = 65534;
const OTHER = 12_345;
const modeOf = async (path: string) => (await Deno.stat(path)).mode! & 0o777;

Deno.test("openDataDir() refuses a folder of another user: that user could replace the files in it", {
  ignore: Deno.uid() !== 0,
}, async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.chown(folder, NOBODY, NOBODY);
    await assert.rejects(
      openDataDir(folder),
      (error) => error instanceof ConfigError && /another user \(65534\).*chown/.test(error.message),
    );
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("openDataDir() closes its own folder and files to other users, and logs it once", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.chmod(folder, 0o755);
    for (const name of ["shigur.db", "shigur.db-wal", "app_key", "notes.txt"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
      await Deno.chmod(`${folder}/${name}`, 0o644);
    }
    assert.deepEqual(await openDataDir(folder), { wasOpen: true, exposedBy: null });
    assert.equal(await modeOf(folder), 0o700);
    for (const name of ["shigur.db", "shigur.db-wal", "app_key"]) {
      assert.equal(await modeOf(`${folder}/${name}`), 0o600, name);
    }
    assert.equal(await modeOf(`${folder}/notes.txt`), 0o644, "what is not ours stays as it is");
    assert.deepEqual(await openDataDir(folder), { wasOpen: false, exposedBy: null });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("openDataDir() makes a missing folder for this user alone", async () => {
  const parent = await Deno.makeTempDir();
  try {
    assert.deepEqual(await openDataDir(`${parent}/data`), { wasOpen: false, exposedBy: null });
    assert.equal(await modeOf(`${parent}/data`), 0o700);
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});

Deno.test("openDataDir() refuses a parent folder where everybody may rename, and creates nothing in it", async () => {
  const parent = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${parent}/open/within`, { recursive: true });
    await Deno.symlink(`${parent}/open/within`, `${parent}/link`);
    await Deno.chmod(`${parent}/open`, 0o777);
    for (const place of ["open/data", "open/within/data", "link/other"]) {
      const path = `${parent}/${place}`;
      await assert.rejects(
        openDataDir(path),
        (error) => error instanceof ConfigError && /every user.*chmod o-w .*\/open, or/.test(error.message),
        place,
      );
      await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
      assert.equal(
        (await openDataDir(path, true)).exposedBy?.path,
        `${parent}/open`,
        "said of a demonstration",
      );
    }
    // Like /tmp: only a folder's own user may rename it.
    await Deno.chmod(`${parent}/open`, 0o1777);
    assert.equal((await openDataDir(`${parent}/open/data`)).exposedBy, null);
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});

Deno.test("openDataDir() refuses a path in another user's folder: that user could rename it", {
  ignore: Deno.uid() !== 0,
}, async () => {
  const parent = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${parent}/theirs/data`, { recursive: true });
    await Deno.chown(`${parent}/theirs`, OTHER, OTHER);
    await assert.rejects(
      openDataDir(`${parent}/theirs/data`),
      (error) =>
        error instanceof ConfigError && /theirs, which belongs to another user \(12345\)/.test(error.message),
    );
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});
