import assert from "node:assert/strict";
import { ExitError } from "../exit_error.ts";
import { systemClock } from "../time/system_clock.ts";
import { tempFolder } from "../testing/temp_folder.ts";
import { parseRecording } from "../recordings/recording.ts";
import { recordingCommand } from "./recording.ts";

const CORPUS = new URL("../recordings/corpus/", import.meta.url).pathname;
const DUMP = `<?xml version='1.0' ?><hierarchy rotation="0">` +
  `<node class="android.widget.TextView" package="com.whatsapp" resource-id="com.whatsapp:id/conversation_contact_name" ` +
  `text="+972 50-123-4567" bounds="[240,100][800,200]" />` +
  `<node class="android.widget.EditText" package="com.whatsapp" resource-id="com.whatsapp:id/entry" text="שלום דנה" ` +
  `clickable="true" enabled="true" bounds="[140,2200][900,2340]" />` +
  `<node class="android.widget.ImageButton" package="com.whatsapp" resource-id="com.whatsapp:id/send" ` +
  `content-desc="Send" clickable="true" enabled="true" bounds="[920,2200][1060,2340]" /></hierarchy>`;

async function run(args: string[], options: Record<string, string | boolean> = {}) {
  const lines: string[] = [];
  const code = await recordingCommand.run({
    args,
    options,
    config: {} as never,
    clock: systemClock,
    log: () => {},
    random: Math.random,
    newId: () => "0",
    print: (line) => void lines.push(line),
    stop: new AbortController().signal,
  });
  return { code: code ?? 0, lines };
}

Deno.test("recording replay prints each step in Hebrew and English, and ends with 0 when all is as recorded", async () => {
  const { code, lines } = await run(["replay", `${CORPUS}chat_he_android_14.json`]);
  assert.equal(code, 0);
  assert.ok(lines.some((line) => line.includes("פתיחת השיחה: שיחה עם +972545551234")));
  assert.ok(lines.some((line) => line.includes("open the chat: a chat with +972545551234")));
  assert.ok(lines.includes("end: sent and proven"));
});

Deno.test("recording replay ends with 1 when it ends otherwise than recorded", async () => {
  const path = `${await tempFolder()}/other.json`;
  const recording = parseRecording(await Deno.readTextFile(`${CORPUS}chat_he_name.json`));
  await Deno.writeTextFile(path, JSON.stringify({ ...recording, verdict: { kind: "sent" } }));
  const { code, lines } = await run(["replay", path], { lang: "en" });
  assert.equal(code, 1);
  assert.ok(lines.includes("✗ as recorded: sent and proven"));
});

Deno.test("recording replay reads a dump, and recording make writes it without number and name", async () => {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/dump.xml`, DUMP);
  const { code, lines } = await run(["replay", `${folder}/dump.xml`], { lang: "en" });
  assert.deepEqual([code, lines.at(-1)], [0, "end: ready to send"]);
  await run(["make", `${folder}/dump.xml`, `${folder}/made.json`]);
  const text = await Deno.readTextFile(`${folder}/made.json`);
  assert.ok(!/דנה|501234567|123-4567/.test(text), text);
  assert.deepEqual(parseRecording(text).verdict, { kind: "ready" });
  assert.equal((await run(["replay", `${folder}/made.json`])).code, 0);
  await assert.rejects(run(["make", `${folder}/dump.xml`, `${folder}/made.json`]), ExitError);
});

Deno.test("recording refuses what is no recording, in one sentence", async () => {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/a.json`, "{}");
  await Deno.writeTextFile(`${folder}/b.xml`, "<hierarchy>");
  for (
    const args of [["replay"], ["play", "x"], ["replay", `${folder}/none`], ["replay", `${folder}/a.json`], [
      "replay",
      `${folder}/b.xml`,
    ]]
  ) await assert.rejects(run(args), ExitError);
});
