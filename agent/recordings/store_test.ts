import assert from "node:assert/strict";
import { tempFolder } from "../testing/temp_folder.ts";
import { parseRecording, type Recording, RecordingError } from "./recording.ts";
import { keepRecording, MAX_RECORDINGS, readRecordings } from "./store.ts";

const RECORDING: Recording = parseRecording(
  Deno.readTextFileSync(new URL("./corpus/chat_he_android_14.json", import.meta.url)),
);
const NOW = Date.UTC(2026, 10, 27);

function ids() {
  let last = 0;
  return () => String(++last).padStart(8, "0");
}

Deno.test("keepRecording() keeps what readRecordings() reads, newest first", async () => {
  const agentDir = await tempFolder();
  const newId = ids();
  await keepRecording(agentDir, { ...RECORDING, title: "one" }, { now: NOW, newId });
  await keepRecording(agentDir, { ...RECORDING, title: "two" }, { now: NOW + 60_000, newId });
  const { recordings, refused } = await readRecordings(agentDir);
  assert.deepEqual(recordings.map(({ recording }) => recording.title), ["two", "one"]);
  assert.deepEqual(refused, []);
});

Deno.test("keepRecording() removes the oldest beyond the bound", async () => {
  const agentDir = await tempFolder();
  const newId = ids();
  const steps = RECORDING.steps.slice(0, 1);
  for (let at = 0; at < MAX_RECORDINGS + 3; at++) {
    await keepRecording(agentDir, { ...RECORDING, steps, title: `${at}` }, { now: NOW + at * 1_000, newId });
  }
  const { recordings } = await readRecordings(agentDir);
  assert.equal(recordings.length, MAX_RECORDINGS);
  assert.equal(recordings.at(-1)!.recording.title, "3");
});

Deno.test("readRecordings() names files that are no recordings, and needs no folder", async () => {
  const agentDir = await tempFolder();
  assert.deepEqual(await readRecordings(agentDir), { recordings: [], refused: [] });
  await Deno.mkdir(`${agentDir}/recordings`);
  await Deno.writeTextFile(`${agentDir}/recordings/a.json`, "{}");
  await Deno.writeTextFile(`${agentDir}/recordings/b.json`, `${"[".repeat(5_000)}`);
  await Deno.writeTextFile(`${agentDir}/recordings/c.json`, `${"[".repeat(5_000)}${"]".repeat(5_000)}`);
  assert.deepEqual((await readRecordings(agentDir)).refused, ["c.json", "b.json", "a.json"]);
});

Deno.test("parseRecording() refuses a file that is too large or too deep, and unknown words", () => {
  assert.throws(() => parseRecording("x".repeat(2_000_001)), RecordingError);
  const deep = structuredClone(RECORDING);
  let node = deep.steps[1]!.answer.dump![0]!;
  for (let depth = 0; depth < 300; depth++) node = (node.nodes = [{}])[0]!;
  assert.throws(() => parseRecording(JSON.stringify(deep)), RecordingError);
  assert.throws(
    () => parseRecording(JSON.stringify({ ...RECORDING, verdict: { kind: "fine" } })),
    RecordingError,
  );
  assert.throws(() => parseRecording(JSON.stringify({ ...RECORDING, screenshot: "iVBOR" })), RecordingError);
});
