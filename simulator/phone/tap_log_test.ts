import assert from "node:assert/strict";
import { openTapLog, type Tap } from "./tap_log.ts";
import { tempFolder } from "../../agent/testing/temp_folder.ts";

const TAP: Tap = {
  at: "2026-11-22T08:00:00.000Z",
  serial: "SIM0001",
  account: "com.whatsapp/0",
  phone: "+972501234567",
  text: 'שורה\nשנייה "🙂"',
  image: null,
};

async function tempPath(): Promise<string> {
  return `${await tempFolder()}/simulator/taps.jsonl`;
}

Deno.test("openTapLog() gives back what earlier runs appended, one JSON line each", async () => {
  const path = await tempPath();
  const first = openTapLog(path);
  first.append(TAP);
  first.append({ ...TAP, image: "ab".repeat(32) });
  // Open again without a close, as after a kill.
  const second = openTapLog(path);
  assert.deepEqual(second.earlier, [TAP, { ...TAP, image: "ab".repeat(32) }]);
  assert.equal(Deno.readTextFileSync(path).split("\n").length, 3);
  first.close();
  second.close();
});

Deno.test("openTapLog() drops a torn last line, and appends the next entry on its own line", async () => {
  const path = await tempPath();
  const whole = openTapLog(path);
  whole.append(TAP);
  whole.close();
  Deno.writeTextFileSync(path, '{"at":"2026-11-22T08:00:0', { append: true });
  const torn = openTapLog(path);
  assert.deepEqual(torn.earlier, [TAP]);
  torn.append({ ...TAP, text: "next" });
  torn.close();
  const after = openTapLog(path);
  assert.deepEqual(after.earlier.map(({ text }) => text), [TAP.text, "next"]);
  after.close();
});
