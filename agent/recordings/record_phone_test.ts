import assert from "node:assert/strict";
import { seededRandom } from "../../simulator/phone/random.ts";
import { deliver } from "../delivery/deliver.ts";
import { imagePathOn, placeImage } from "../phone/place_image.ts";
import { ACCOUNT, startTestPhone } from "../testing/test_phone.ts";
import { formatRecording, parseRecording } from "./recording.ts";
import { recordPhone } from "./record_phone.ts";
import { replay } from "./replay.ts";

const TO = { phone: "+972501234567", text: "שלום דנה כהן,\n*מבצע* ב-50% 🙂 & 'עוד'", imagePath: null };
const FACTS = {
  app: "com.whatsapp",
  user: 0,
  appVersion: "2.25",
  androidVersion: "14",
  model: "SM-A145F",
  language: "he",
};
const IMAGE = { sha256: "a".repeat(64), bytes: new Uint8Array([0xff, 0xd8, 0xff]) };

async function record(
  test: Awaited<ReturnType<typeof startTestPhone>>,
  message: { phone: string; text: string; imagePath: string | null } = TO,
) {
  const recorded = recordPhone(test.phone, {
    facts: FACTS,
    delivery: { phone: message.phone, text: message.text, isPicture: message.imagePath !== null },
    random: seededRandom("recording"),
  });
  const result = await deliver(recorded.phone, ACCOUNT, message, test.gate());
  return { result, recording: recorded.end(null)! };
}

Deno.test("recordPhone() names every command of a delivery, and its replay ends as the delivery did", async () => {
  await using test = await startTestPhone();
  const { result, recording } = await record(test);
  assert.deepEqual(result, { kind: "sent" });
  assert.deepEqual(recording.steps.map(({ asked }) => asked), ["fence", "open_chat", "tap", "read"]);
  const { verdict, wrongTaps, sendTaps } = await replay(recording);
  assert.deepEqual([verdict, wrongTaps, sendTaps], [{ kind: "sent" }, [], 1]);
});

Deno.test("recordPhone() keeps no word of a person and no number, and the file is read back as it was", async () => {
  await using test = await startTestPhone({ contacts: { "972507654321": "אבישג" } });
  const account = test.inside.accounts[0]!;
  account.receive("972501234567", "הקוד שלך 482913, מירון");
  const { recording } = await record(test);
  const text = formatRecording(recording);
  assert.deepEqual(parseRecording(text), recording);
  for (
    const canary of [
      "דנה",
      "כהן",
      "מבצע",
      "482913",
      "מירון",
      "501234567",
      "50-123",
      "אבישג",
      TO.phone.slice(4),
    ]
  ) {
    assert.ok(!text.includes(canary), canary);
  }
  assert.equal(recording.delivery?.phone, "+972545551234");
  // What the flows need is there: ids, classes, bounds and the words of the app.
  assert.match(text, /com\.whatsapp:id\/conversation_contact_name/);
  assert.match(text, /שליחה/);
});

Deno.test("recordPhone() records a picture without the picture, and its replay sees it sent", async () => {
  await using test = await startTestPhone();
  await placeImage(test.phone, ACCOUNT, IMAGE, new Map());
  const { result, recording } = await record(test, { ...TO, imagePath: imagePathOn(ACCOUNT, IMAGE.sha256) });
  assert.deepEqual(result, { kind: "sent" });
  assert.ok(!formatRecording(recording).includes(IMAGE.sha256));
  const { verdict, wrongTaps } = await replay(recording);
  assert.deepEqual([verdict, wrongTaps], [{ kind: "sent" }, []]);
});

for (
  const [lie, verdict] of [
    ["nameTitle", { kind: "not_ready", reason: "chat_titled_by_name" }],
    ["numberNotOnApp", { kind: "not_on_app" }],
    ["banned", { kind: "lost", state: "banned" }],
    ["draftKept", { kind: "not_ready", reason: "draft_mismatch" }],
    ["dialogHidesChat", { kind: "not_ready", reason: "phone_screen_blocked" }],
    ["wrongChat", { kind: "not_ready", reason: "chat_not_opened" }],
  ] as const
) {
  Deno.test(`recordPhone(): a replay of the lie ${lie} ends as on the phone, without a tap on send`, async () => {
    await using test = await startTestPhone();
    test.lies[lie] = 1;
    const { result, recording } = await record(test);
    const replayed = await replay(recording);
    assert.deepEqual(replayed.verdict, verdict);
    assert.deepEqual(result, verdict);
    assert.equal(replayed.sendTaps, 0);
  });
}

Deno.test("recordPhone() says of a lost answer that none came, and throws what the phone threw", async () => {
  await using test = await startTestPhone();
  const recorded = recordPhone(test.phone, { facts: FACTS, delivery: null });
  test.inside.unplug();
  await assert.rejects(recorded.phone.run("cat /proc/uptime"));
  const recording = recorded.end({ kind: "lost_phone" })!;
  assert.deepEqual(recording.steps.map(({ asked, answer }) => [asked, answer.isLost]), [["uptime", true]]);
});

Deno.test("recordPhone() has no recording of a phone that was asked nothing", async () => {
  await using test = await startTestPhone();
  assert.equal(recordPhone(test.phone, { facts: FACTS, delivery: null }).end(null), null);
});
