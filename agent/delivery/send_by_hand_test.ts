import assert from "node:assert/strict";
import { Journal } from "../journal/journal.ts";
import { sendByHand } from "./send_by_hand.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { startTestPhone } from "../testing/test_phone.ts";

const MESSAGE = { phone: "+972501234567", text: "בדיקה", account: "SIM0001/com.whatsapp/0" };

async function startHand() {
  const test = await startTestPhone();
  const folder = await Deno.makeTempDir();
  const newId = () => crypto.randomUUID().replaceAll("-", "");
  const journal = new Journal(`${folder}/journal.db`, { now: () => test.phone.clock.now(), newId });
  const parts = { journal, phone: test.phone, clock: test.phone.clock, newId, words: SHIPPED_WORDS };
  return {
    ...test,
    journal,
    send: (signal = new AbortController().signal, more: Partial<Parameters<typeof sendByHand>[0]> = {}) =>
      sendByHand({ ...parts, ...more }, MESSAGE, signal),
    archived: () =>
      [...journal.outcomes()].map(({ campaign, phone, outcome }) => ({ campaign, phone, outcome })),
    async [Symbol.asyncDispose]() {
      journal.close();
      await test[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("sendByHand() taps once, says sent, and leaves the journal with nothing to report", async () => {
  await using hand = await startHand();
  assert.deepEqual(await hand.send(), { kind: "sent" });
  assert.deepEqual(hand.taps().map(({ phone, text }) => [phone, text]), [[MESSAGE.phone, MESSAGE.text]]);
  assert.equal(hand.journal.count(), 0);
  assert.deepEqual(hand.archived(), [{ campaign: 0, phone: MESSAGE.phone, outcome: "sent" }]);
  assert.notEqual(hand.journal.lastTapAt("SIM0001"), null);
});

Deno.test("sendByHand() does not tap when the chat is titled by a name, and says why", async () => {
  await using hand = await startHand();
  hand.lies.nameTitle = 1;
  assert.deepEqual(await hand.send(), { kind: "not_sent", reason: "chat_titled_by_name" });
  assert.deepEqual(hand.taps(), []);
  assert.equal(hand.journal.count(), 0);
});

Deno.test("sendByHand() never taps again when the tap did nothing", async () => {
  await using hand = await startHand();
  hand.lies.tapIgnored = 1;
  assert.deepEqual(await hand.send(), { kind: "not_sent", reason: "send_not_verified" });
  assert.deepEqual(hand.taps(), []);
});

Deno.test("sendByHand() that is stopped before the tap taps nothing", async () => {
  await using hand = await startHand();
  const stop = new AbortController();
  const sending = hand.send(stop.signal);
  stop.abort();
  assert.equal((await sending).kind, "not_sent");
  assert.deepEqual(hand.taps(), []);
});

Deno.test("sendByHand() taps nothing when the person is gone just before the tap, and says each step on the way", async () => {
  await using hand = await startHand();
  const steps: string[] = [];
  const reached = (step: string) => void steps.push(step);
  const gone = await hand.send(undefined, { mayTap: () => false, reached });
  assert.deepEqual(gone, { kind: "not_sent", reason: "recalled" });
  assert.deepEqual([hand.taps(), steps, hand.journal.count()], [[], [], 0]);
  await hand.send(undefined, { mayTap: () => true, reached });
  assert.deepEqual(steps, ["intent", "tap", "proof"]);
});

Deno.test("sendByHand() leaves a tap that it could not check to the agent, in the journal", async () => {
  await using hand = await startHand();
  const stop = new AbortController();
  // After the tap the phone makes no dump, and the person gives up.
  Object.defineProperty(hand.lies, "dumpFails", {
    get: () => {
      if (hand.journal.countByState().tapping !== 1) return 0;
      stop.abort();
      return 1;
    },
  });
  assert.deepEqual(await hand.send(stop.signal), { kind: "left_to_agent" });
  const [row] = hand.journal.rows(["tapping"]);
  assert.equal(row?.phone, MESSAGE.phone);
  assert.equal(hand.taps().length, 1);
});
