import assert from "node:assert/strict";
import { compareVersions } from "./app_version.ts";
import { parseScreenFile, type ScreenFile, ScreenFileError } from "./screen_file.ts";
import { wordsFor } from "./screen_words.ts";
import { SHIPPED_FILES, SHIPPED_WORDS } from "./shipped_files.ts";

const APP = "com.whatsapp";
const fact = { source: "made for this test", seen: false };

function fileOf(changes: Record<string, unknown> = {}): ScreenFile {
  const file = { name: "own", language: "any", appVersions: { from: "2.26", below: "2.27" }, ...changes };
  const isEmpty = !("ids" in file) && !("dialogs" in file);
  return parseScreenFile(
    JSON.stringify(isEmpty ? { ...file, ids: [{ ...fact, names: { entry: ["composer"] } }] } : file),
  );
}

const choose = (own: ScreenFile[], appVersion: string | null, language: string | null = "he") =>
  wordsFor({ own, shipped: SHIPPED_FILES }, { appVersion, language });

Deno.test("compareVersions() compares part by part, as numbers", () => {
  assert.ok(compareVersions("2.9", "2.10") < 0);
  assert.ok(compareVersions("2.26.0.1", "2.26") > 0);
  assert.equal(compareVersions("2.26", "2.26.0"), 0);
});

Deno.test("wordsFor() puts a site's ids of the app's version before those of the release, and leaves other versions out", () => {
  const entry = (version: string | null) => choose([fileOf()], version).ids("entry", APP);
  assert.deepEqual(entry("2.26.3"), ["com.whatsapp:id/composer", "com.whatsapp:id/entry"]);
  assert.deepEqual(entry("2.25.37.76"), ["com.whatsapp:id/entry"]);
  assert.deepEqual(entry("2.27"), ["com.whatsapp:id/entry"]);
  assert.deepEqual(entry(null), ["com.whatsapp:id/composer", "com.whatsapp:id/entry"], "an unknown version");
  assert.deepEqual(
    entry("7.1"),
    ["com.whatsapp:id/composer", "com.whatsapp:id/entry"],
    "a version of no file",
  );
});

Deno.test("wordsFor() asks the phone's language first and every other one after it", () => {
  const own = fileOf({
    name: "own-he",
    language: "he",
    appVersions: null,
    dialogs: { in_the_way: { ...fact, phrases: ["not allowed to use WhatsApp"] } },
  });
  const text = "You are not allowed to use WhatsApp on this watch";
  assert.equal(choose([own], "2.25", "he").dialogKind(text), "in_the_way");
  assert.equal(choose([own], "2.25", "en").dialogKind(text), "banned");
  for (const language of ["he", "en", "ar", "ru", "fr", null]) {
    assert.equal(choose([], "2.25", language).dialogKind("מספר הטלפון לא רשום ב-WhatsApp."), "not_on_app");
  }
});

Deno.test("dialogKind() gives the worse of two meanings, and nothing for words of no file", () => {
  assert.equal(SHIPPED_WORDS.dialogKind("Verify your phone number: this account has been banned"), "banned");
  assert.equal(SHIPPED_WORDS.dialogKind("Choisir comme application SMS par défaut ?"), null);
});

Deno.test("dialogKind() takes no words of a receiver's name for those of the app", () => {
  const text = "Send to My account has been banned?";
  assert.equal(SHIPPED_WORDS.dialogKind(text), "share_confirm");
  assert.deepEqual(SHIPPED_WORDS.shareReceivers(text), ["my account has been banned"]);
  assert.deepEqual(SHIPPED_WORDS.shareReceivers("Send to Dana? It costs 5"), []);
});

Deno.test("every shipped fact says from where it is known, and none claims to be seen on a phone", () => {
  const text = SHIPPED_FILES.map((file) => JSON.stringify(file)).join();
  assert.ok(!text.includes('"seen":true'));
  assert.deepEqual(SHIPPED_FILES.map(({ language }) => language).sort(), [
    "any",
    "any",
    "ar",
    "en",
    "he",
    "ru",
  ]);
});

const REFUSED: Record<string, [Record<string, unknown>, RegExp]> = {
  "a key that the schema does not have": [{ regex: "a+" }, /Unrecognized key/],
  "a phrase that begins with a gap": [
    { dialogs: { banned: { ...fact, phrases: ["*banned now"] } } },
    /begin or end/,
  ],
  "a phrase of too few letters": [
    { dialogs: { banned: { ...fact, phrases: ["??? a ???"] } } },
    /at least 5 letters/,
  ],
  "a phrase of signs that no comparison sees": [
    { dialogs: { banned: { ...fact, phrases: ["ــــــ"] } } },
    /may not begin or end with a gap; .*at least 5 letters/,
  ],
  "a phrase with such signs for a part": [
    { dialogs: { banned: { ...fact, phrases: ["your account*ــ*banned"] } } },
    /begin or end with a gap/,
  ],
  "a phrase that such signs make long enough": [
    { dialogs: { banned: { ...fact, phrases: ["ـــــab"] } } },
    /at least 5 letters/,
  ],
  "a button of such signs": [
    { ids: [{ ...fact, names: { send: ["send"] } }], buttons: { other: { ...fact, labels: ["ــ"] } } },
    /a letter or a sign/,
  ],
  "a question whose receiver is not in one gap": [
    { dialogs: { share_confirm: { ...fact, phrases: ["share the picture?"] } } },
    /dialogs.share_confirm: must have one gap/,
  ],
  "a mark of one's own chat with a number": [
    { ownChat: { ...fact, labels: ["(54-999-8888)"] } },
    /ownChat.labels.0: must be words/,
  ],
  "a mark of one's own chat without a word": [{ ownChat: { ...fact, labels: ["()"] } }, /must be words/],
  "too many gaps": [{ dialogs: { banned: { ...fact, phrases: ["ab*cd*ef*gh*ij"] } } }, /at most 3 gaps/],
  "an id that is a pattern": [{ ids: [{ ...fact, names: { send: [".*"] } }] }, /must be an id/],
  "a role that does not exist": [
    { ids: [{ ...fact, names: { payButton: ["pay"] } }] },
    /Unrecognized key: "payButton"/,
  ],
  "a fact without a source": [{ ids: [{ seen: false, names: { send: ["send"] } }] }, /source/],
  "too many phrases": [
    { dialogs: { banned: { ...fact, phrases: Array.from({ length: 41 }, (_, i) => `is banned ${i}`) } } },
    /<=40/,
  ],
  "a name that is a path": [{ name: "../journal" }, /small letters/],
};
for (const [what, [changes, why]] of Object.entries(REFUSED)) {
  Deno.test(`parseScreenFile() refuses ${what}`, () => {
    assert.throws(
      () => fileOf(changes),
      (error) => error instanceof ScreenFileError && why.test(error.message),
    );
  });
}

Deno.test("parseScreenFile() refuses what is no JSON, too large, or says nothing", () => {
  assert.throws(() => parseScreenFile("{"), /not JSON/);
  assert.throws(() => parseScreenFile(`"${"a".repeat(70_000)}"`), /larger than 64 kB/);
  assert.throws(
    () => parseScreenFile(JSON.stringify({ name: "a", language: "he", appVersions: null })),
    /says nothing/,
  );
});
