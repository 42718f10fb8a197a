import assert from "node:assert/strict";
import { parseScreenFile, ScreenFileError } from "../screens/screen_file.ts";
import { addScreenFile } from "../screens/keep_file.ts";
import { wordsFor } from "../screens/screen_words.ts";
import { SHIPPED_FILES, SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { MOVED_IDS } from "../testing/moved_ids.ts";
import { tempFolder } from "../testing/temp_folder.ts";
import { parseRecording, type Recording } from "./recording.ts";
import { siteReplay } from "./replay_site.ts";
import { keepRecording } from "./store.ts";

function corpus(name: string): Recording {
  return parseRecording(Deno.readTextFileSync(new URL(`./corpus/${name}.json`, import.meta.url)));
}

/** A site with recordings. */
async function siteWith(...recordings: Recording[]) {
  const agentDir = await tempFolder();
  for (const [at, recording] of recordings.entries()) {
    await keepRecording(agentDir, recording, { now: at * 1_000, newId: () => `0000000${at}` });
  }
  return { agentDir, replayAll: siteReplay(agentDir, () => SHIPPED_WORDS) };
}

/** A file that calls the button beside the box "send": the attachments, on a screen that is known. */
const WRONG_BUTTON = JSON.stringify({
  ...JSON.parse(MOVED_IDS),
  appVersions: null,
  ids: [{
    source: "made for this test",
    seen: false,
    names: { entry: ["entry"], send: ["input_attach_button"], contactName: ["title_of_nothing"] },
  }],
});

Deno.test("siteReplay() passes a file under which every recording goes as far as it went", async () => {
  const { replayAll } = await siteWith(corpus("chat_he_android_14"), corpus("dialog_he_banned"));
  const results = await replayAll((facts) =>
    wordsFor({ own: [parseScreenFile(MOVED_IDS)], shipped: SHIPPED_FILES }, facts)
  );
  assert.deepEqual(results.map(({ ok, why }) => [ok, why]), [[true, null], [true, null]]);
});

Deno.test("siteReplay() refuses a file under which a recording that was sent is not, also when no end was recorded", async () => {
  const sent = corpus("chat_he_android_14");
  const { agentDir, replayAll } = await siteWith(sent, { ...sent, verdict: null });
  await assert.rejects(
    addScreenFile(agentDir, WRONG_BUTTON, replayAll),
    (error) => error instanceof ScreenFileError && /2 of 2 recordings do not pass/.test(error.message),
  );
});

Deno.test("siteReplay() says nothing of a site without recordings", async () => {
  const { replayAll } = await siteWith();
  assert.deepEqual(await replayAll(() => SHIPPED_WORDS), []);
});
