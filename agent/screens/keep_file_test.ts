import assert from "node:assert/strict";
import { tempFolder } from "../testing/temp_folder.ts";
import { addScreenFile, removeScreenFile } from "./keep_file.ts";
import { MAX_SITE_FILES } from "./screen_file.ts";
import { readSiteFiles, SiteScreens } from "./site_screens.ts";

const NONE = () => Promise.resolve([]);

function textOf(name: string, entry = "composer"): string {
  const names = { entry: [entry] };
  return JSON.stringify({
    name,
    language: "any",
    appVersions: null,
    ids: [{ source: "made for this test", seen: false, names }],
  });
}

Deno.test("addScreenFile() puts a file into the site's folder after a replay with it, and replaces one of its name", async () => {
  const dir = await tempFolder();
  const screens = new SiteScreens(dir);
  const seen: (readonly string[])[] = [];
  const added = await addScreenFile(dir, textOf("own"), (wordsOf) => {
    seen.push(wordsOf({ appVersion: "2.25", language: "he" }).ids("entry", "com.whatsapp"));
    return Promise.resolve([{ recording: "chat.json", isShipped: false, ok: true, why: null }]);
  });
  assert.deepEqual(seen, [["com.whatsapp:id/composer", "com.whatsapp:id/entry"]]);
  assert.deepEqual([added.isReplaced, added.replayed.length], [false, 1]);
  assert.ok(screens.refresh(), "a running site sees it");
  assert.equal((await addScreenFile(dir, textOf("own", "box"), NONE)).isReplaced, true);
  assert.ok(screens.refresh());
  const words = screens.wordsOf({ appVersion: "2.25", language: "he" });
  assert.equal(words.ids("entry", "com.whatsapp")[0], "com.whatsapp:id/box");
  assert.equal(screens.refresh(), false);
});

Deno.test("addScreenFile() changes nothing when a recording does not pass, or the file is damaged", async () => {
  const dir = await tempFolder();
  const failing = () =>
    Promise.resolve([{ recording: "chat.json", isShipped: false, ok: false, why: "no send button" }]);
  await assert.rejects(
    addScreenFile(dir, textOf("own"), failing),
    /1 of 1 recordings do not pass: chat.json: no send/,
  );
  await assert.rejects(addScreenFile(dir, "{", NONE), /not JSON/);
  assert.deepEqual(readSiteFiles(dir), { files: [], ignored: [] });
});

Deno.test("removeScreenFile() takes a damaged file away too, and no file outside of the folder", async () => {
  const dir = await tempFolder();
  await addScreenFile(dir, textOf("own"), NONE);
  await Deno.writeTextFile(`${dir}/screens/own.json`, "{");
  await Deno.writeTextFile(`${dir}/journal.json`, "kept");
  assert.equal(await removeScreenFile(dir, "../journal"), false);
  assert.equal(await removeScreenFile(dir, "none"), false);
  assert.equal(await removeScreenFile(dir, "own"), true);
  assert.deepEqual([...Deno.readDirSync(`${dir}/screens`)], []);
});

Deno.test("readSiteFiles() ignores and names what is damaged, misnamed, too large, no file, or too much", async () => {
  const dir = await tempFolder();
  const folder = `${dir}/screens`;
  await Deno.mkdir(`${folder}/folder.json`, { recursive: true });
  await Deno.writeTextFile(`${folder}/broken.json`, "[");
  await Deno.writeTextFile(`${folder}/large.json`, " ".repeat(70_000));
  await Deno.writeTextFile(`${folder}/misnamed.json`, textOf("own"));
  await Deno.writeTextFile(`${folder}/notes.txt`, "no matter");
  await Deno.symlink("/nowhere", `${folder}/link.json`);
  const { files, ignored } = readSiteFiles(dir);
  assert.deepEqual(files, []);
  assert.deepEqual(ignored.map(({ file }) => file), [
    "broken.json",
    "folder.json",
    "large.json",
    "link.json",
    "misnamed.json",
  ]);
  for (let i = 0; i <= MAX_SITE_FILES; i++) {
    await Deno.writeTextFile(`${folder}/n${i}.json`, textOf(`n${i}`));
  }
  const many = readSiteFiles(dir);
  assert.deepEqual([many.files.length, many.ignored.length], [MAX_SITE_FILES, 6]);
});
