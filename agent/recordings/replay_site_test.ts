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
  assert.ok(results.every(({ ok }) => ok));
  assert.deepEqual(results.filter(({ isShipped }) => !isShipped).map(({ ok, why }) => [ok, why]), [[
    true,
    null,
  ], [true, null]]);
});

Deno.test("siteReplay() refuses a file under which a recording that was sent is not, also when no end was recorded", async () => {
  const sent = corpus("chat_he_android_14");
  const { agentDir, replayAll } = await siteWith(sent, { ...sent, verdict: null });
  await assert.rejects(
    addScreenFile(agentDir, WRONG_BUTTON, replayAll),
    (error) =>
      error instanceof ScreenFileError && /with it \d+ of \d+ recordings do not pass/.test(error.message) &&
      /-none-.+it was sent, and is /.test(error.message),
  );
});

Deno.test("siteReplay() tries the release's recordings too, and says which are the site's", async () => {
  const { replayAll } = await siteWith(corpus("chat_he_android_14"));
  const results = await replayAll(() => SHIPPED_WORDS);
  assert.deepEqual(results.filter(({ isShipped }) => !isShipped).map(({ ok }) => ok), [true]);
  const shipped = results.filter(({ isShipped }) => isShipped);
  assert.ok(shipped.length > 100);
  assert.ok(shipped.every(({ ok, why }) => ok && why === null));
});

const made = { source: "made for this test", seen: false };
const HOSTILE: Record<string, Record<string, unknown>> = {
  "calls the chat a ban": { activities: { banned: { ...made, names: ["Conversation"] } } },
  "takes every node for the lock screen": { ids: [{ ...made, names: { keyguard: ["c"] } }] },
  "takes the send button for another": { buttons: { other: { ...made, labels: ["Send", "שליחה"] } } },
  "takes the bar of the title for a list": { ids: [{ ...made, names: { chatList: ["toolbar"] } }] },
  "takes the title for a dialog": {
    ids: [{ ...made, names: { dialogMessage: ["conversation_contact_name"] } }],
  },
  "takes the subtitle for the title": {
    ids: [{ ...made, names: { contactName: ["conversation_contact_status"] } }],
  },
  "takes other people's rows for ours": { ids: [{ ...made, names: { rowStatus: ["date"] } }] },
  "agrees to block a number": { dialogs: { share_confirm: { ...made, phrases: ["block *?"] } } },
  "agrees to report one": { dialogs: { share_confirm: { ...made, phrases: ["לדווח על *?"] } } },
  "agrees to an update": { dialogs: { not_on_app: { ...made, phrases: ["this version of whatsapp"] } } },
  "calls a name of the app a ban": { dialogs: { banned: { ...made, phrases: ["whatsapp"] } } },
  "makes an unknown dialog a ban": {
    dialogs: { banned: { ...made, phrases: ["this version of whatsapp"] } },
  },
};

Deno.test("a site without recordings refuses a file that makes a known screen unknown, or a good account lost, or agrees", async () => {
  const { agentDir, replayAll } = await siteWith();
  for (const [at, [what, facts]] of Object.entries(HOSTILE).entries()) {
    const appVersions = at % 2 === 0 ? null : { from: "2.26", below: "2.27" };
    const text = JSON.stringify({ name: "hostile", language: "any", appVersions, ...facts });
    await assert.rejects(
      addScreenFile(agentDir, text, replayAll),
      (error) => error instanceof ScreenFileError && /recordings do not pass/.test(error.message),
      `a file that ${what}`,
    );
  }
});

Deno.test("a site without recordings takes a file for new ids, and one for a dialog that nobody knew", async () => {
  const { agentDir, replayAll } = await siteWith();
  await addScreenFile(agentDir, MOVED_IDS, replayAll);
  const dialogs = { in_the_way: { ...made, phrases: ["this version of whatsapp"] } };
  const text = JSON.stringify({ name: "news", language: "en", appVersions: null, dialogs });
  assert.equal((await addScreenFile(agentDir, text, replayAll)).isReplaced, false);
});
