import assert from "node:assert/strict";
import { formatRecording, parseRecording, type Recording, recordingSchema } from "./recording.ts";
import { replay, sameVerdict } from "./replay.ts";
import { corpus } from "./testing/corpus_recordings.ts";

const FOLDER = new URL("./corpus/", import.meta.url);

/** Every file of the folder is a test: a recording of a site needs nothing else. */
const FILES = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".json"))
  .sort();

function read(name: string): Recording {
  return parseRecording(Deno.readTextFileSync(new URL(name, FOLDER)));
}

for (const file of FILES) {
  Deno.test(`corpus: ${file} ends as it says, and nothing wrong is tapped`, async () => {
    const recording = read(file);
    const result = await replay(recording);
    assert.deepEqual(result.wrongTaps, []);
    const { verdict } = recording;
    assert.notEqual(verdict, null, "a recording of the corpus says how it ends");
    assert.deepEqual(result.verdict, verdict);
    const mayTap = ["ready", "sent", "doubt"].includes(verdict!.kind) ||
      sameVerdict(verdict!, { kind: "not_ready", reason: "send_not_verified" });
    assert.equal(result.sendTaps, mayTap ? 1 : 0);
  });
}

Deno.test("corpus: the rebuilt files are those of write_corpus.ts, each with its sources", () => {
  const entries = corpus();
  assert.equal(new Set(entries.map(({ name }) => name)).size, entries.length);
  for (const { name, recording } of entries) {
    assert.ok(recording.sources!.length > 0, name);
    const text = Deno.readTextFileSync(new URL(`${name}.json`, FOLDER));
    assert.equal(text, formatRecording(recordingSchema.parse(recording)), `${name}: run write_corpus.ts`);
  }
});

Deno.test("corpus: it has four languages, Android 9 to 16, tablets, profiles, two apps, and says what nobody saw", () => {
  const recordings = FILES.map(read);
  const values = (of: (recording: Recording) => unknown) =>
    [...new Set(recordings.map(of))].map(String).sort();
  assert.deepEqual(values(({ facts }) => facts.language), ["ar", "en", "he", "ru"]);
  assert.deepEqual(
    values(({ facts }) => facts.androidVersion),
    ["10", "11", "12", "13", "14", "15", "16", "9"],
  );
  assert.deepEqual(values(({ facts }) => facts.user), ["0", "10", "95", "999"]);
  assert.deepEqual(values(({ facts }) => facts.app), ["com.whatsapp", "com.whatsapp.w4b"]);
  assert.deepEqual(values(({ standing }) => standing), ["documented", "unseen"]);
});
