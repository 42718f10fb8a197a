import assert from "node:assert/strict";
import { deliver } from "../delivery/deliver.ts";
import { ACCOUNT, startTestPhone } from "../testing/test_phone.ts";
import { lookBack, PhoneLockedError } from "./look_back.ts";
import { placeImage } from "./place_image.ts";
import type { Message } from "./prepare.ts";

const TO: Message = { phone: "+972501234567", text: "שלום 'עולם'\n🙂 & 100%", imagePath: null };
const IMAGE = { sha256: "a".repeat(64), bytes: new Uint8Array([0xff, 0xd8, 0xff]) };
const DOUBT = { kind: "doubt", reason: "send_not_verified", lost: null };

/** Adds a row of the same text to the chat that no tap of ours made. */
function addRow({ inside, phone }: Awaited<ReturnType<typeof startTestPhone>>, agoMs = 0): void {
  const account = inside.accounts[0]!;
  const at = new Date(phone.clock.now() - agoMs).toISOString();
  account.addTap({
    at,
    serial: "SIM0001",
    account: account.key,
    phone: TO.phone,
    text: TO.text,
    image: null,
  });
}

Deno.test("lie: a dialog takes the tap, which exits 0 – only the row proves, and the draft is found and deleted", async () => {
  await using test = await startTestPhone();
  test.lies.dialogBeforeTap = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), DOUBT);
  test.lies.dialogBeforeTap = 0;
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "draft");
  assert.deepEqual(test.taps(), []);
  assert.equal(test.inside.accounts[0]!.drafts.size, 0, "nobody at the phone can send it by hand");
});

Deno.test("lie: a tap exits 0 and hits nothing – an equal row of an earlier message is no proof", async () => {
  await using test = await startTestPhone();
  const account = test.inside.accounts[0]!;
  addRow(test, 600_000);
  test.lies.tapIgnored = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), DOUBT);
  test.lies.tapIgnored = 0;
  // A person who empties the box removes the draft, and with it the proof that nothing was sent.
  account.drafts.clear();
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), null);
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: a dialog takes the tap, and an equal row comes from elsewhere – beside our draft it proves nothing", async () => {
  await using test = await startTestPhone();
  test.lies.dialogBeforeTap = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), DOUBT);
  test.lies.dialogBeforeTap = 0;
  addRow(test);
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), null);
});

Deno.test("lie: a picture still waits, and its chat has a new row – it may have been sent, so nothing is proven", async () => {
  await using test = await startTestPhone();
  const picture = { ...TO, imagePath: await placeImage(test.phone, ACCOUNT, IMAGE, new Map()) };
  await deliver(test.phone, ACCOUNT, picture, test.gate({ remainingMs: () => 0 }));
  addRow(test);
  assert.equal(await lookBack(test.phone, ACCOUNT, picture, test.intents[0]!), null);
});

Deno.test("lie: the picture's screen is gone, and the chat's box holds its words – that draft says nothing of the picture", async () => {
  await using test = await startTestPhone();
  const picture = { ...TO, imagePath: await placeImage(test.phone, ACCOUNT, IMAGE, new Map()) };
  await deliver(test.phone, ACCOUNT, picture, test.gate({ remainingMs: () => 0 }));
  test.inside.home();
  test.inside.accounts[0]!.drafts.set(TO.phone.slice(1), TO.text);
  assert.equal(await lookBack(test.phone, ACCOUNT, picture, test.intents[0]!), null);
});

Deno.test("lie: dumps fail after send – what was not seen is in doubt, and the look back finds it", async () => {
  await using test = await startTestPhone();
  const gate = test.gate({ tapped: () => test.inside.dumpsToFail = 8 });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), DOUBT);
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "sent");
  assert.equal(test.taps().length, 1);
});

Deno.test("lie: the chat is shown before its rows – it is looked at until they are there, at both looks", async () => {
  await using test = await startTestPhone();
  const gate = test.gate({ tapped: () => test.inside.dumpsToFail = 5 });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), DOUBT);
  const { inside } = test;
  const [account] = inside.accounts;
  const openChat = inside.openChat;
  const visibleRows = account!.visibleRows;
  let looks = 0;
  inside.openChat = (...chat) => {
    looks = 0;
    openChat.apply(inside, chat);
  };
  account!.visibleRows = (...rows) => ++looks <= 2 ? [] : visibleRows.apply(account, rows);
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "sent");
});

Deno.test("lie: the row comes seconds after the tap – it is looked for until it is there", async () => {
  // Half a second late, by this seed's first roll.
  await using test = await startTestPhone({}, {
    speed: 1,
    sleep: () => Promise.resolve(),
    seed: "patience",
  });
  test.lies.rowLate = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
});

Deno.test("lie: a tick says Pending for ever – a row with any tick is sent", async () => {
  await using test = await startTestPhone();
  test.lies.tickPending = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
});

Deno.test("lie: the phone is offline in the middle of the tap – a lost answer says nothing, the row does", async () => {
  await using test = await startTestPhone();
  const gate = test.gate({
    beginTapping() {
      test.lies.offlineMoment = 1;
      return Promise.resolve(true);
    },
    tapped: () => test.lies.offlineMoment = 0,
  });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), { kind: "sent" });
  assert.equal(test.taps().length, 1);
});

Deno.test("lie: the phone restarts before the tap, and its uptime begins anew – a tap of another boot hits nothing", async () => {
  await using test = await startTestPhone();
  const { inside } = test;
  const gate = test.gate({
    async beginTapping() {
      await inside.reboot();
      inside.wake();
      inside.dismissKeyguard();
      inside.openChat(inside.accounts[0]!, "972507654321", TO.text);
      return true;
    },
  });
  assert.equal((await deliver(test.phone, ACCOUNT, TO, gate)).kind, "doubt");
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: somebody locked the phone with its PIN after the tap – it is looked at when it is open", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, TO, test.gate());
  test.inside.traits.hasPin = true;
  test.inside.lock();
  await assert.rejects(lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), PhoneLockedError);
  test.inside.traits.hasPin = false;
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "sent");
});

Deno.test("lie: the screen goes dark over a picture that waits – the phone is woken before the look back", async () => {
  await using test = await startTestPhone();
  const picture = { ...TO, imagePath: await placeImage(test.phone, ACCOUNT, IMAGE, new Map()) };
  await deliver(test.phone, ACCOUNT, picture, test.gate({ remainingMs: () => 0 }));
  test.inside.sleep();
  assert.equal(await lookBack(test.phone, ACCOUNT, picture, test.intents[0]!), "draft");
});
