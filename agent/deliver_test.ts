import assert from "node:assert/strict";
import { deliver } from "./deliver.ts";
import { lookBack } from "./phone/look_back.ts";
import { placeImage } from "./phone/place_image.ts";
import type { AppAccount } from "./phone/phone.ts";
import type { Message } from "./phone/prepare.ts";
import { ACCOUNT, startTestPhone } from "./testing/test_phone.ts";

const TO: Message = { phone: "+972501234567", text: "שלום 'עולם'\n🙂 & 100%", imagePath: null };
const OTHER: Message = { ...TO, phone: "+972507654321", text: "אחר" };

Deno.test("deliver() sends exactly the text to exactly the number", async () => {
  await using test = await startTestPhone();
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
  assert.deepEqual(test.taps().map(({ phone, text }) => [phone, text]), [[TO.phone, TO.text]]);
});

Deno.test("deliver() sends the same text to the same number again when it is told to", async () => {
  await using test = await startTestPhone();
  for (const text of ["קודם", TO.text, TO.text]) {
    assert.deepEqual(await deliver(test.phone, ACCOUNT, { ...TO, text }, test.gate()), { kind: "sent" });
  }
  assert.equal(test.taps().length, 3);
});

Deno.test("deliver() proves a long text by the part the app shows of it", async () => {
  await using test = await startTestPhone();
  const long = { ...TO, text: "אבגד הוזח ".repeat(150).trim() };
  assert.deepEqual(await deliver(test.phone, ACCOUNT, long, test.gate()), { kind: "sent" });
});

Deno.test("deliver() taps nothing in the chat before when the intent is ignored", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, OTHER, test.gate());
  test.lies.startIgnored = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "chat_not_opened" });
  assert.equal(test.taps().length, 1);
});

Deno.test("deliver() does not take an old dump for the screen", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, OTHER, test.gate());
  await test.phone.run("uiautomator dump /sdcard/shigur-screen.xml");
  test.lies.dumpFails = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "chat_not_opened" });
  assert.equal(test.taps().length, 1);
});

Deno.test("deliver() sees a dialog that lies over the chat, and agrees to nothing", async () => {
  await using test = await startTestPhone();
  test.lies.dialogOverChat = 1;
  test.lies.windowsShuffled = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "phone_screen_blocked" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() does not take the last number's dialog for this one's", async () => {
  await using test = await startTestPhone();
  const account = test.inside.accounts[0]!;
  test.inside.dialog = { kind: "notOnApp", account, number: "972501110000" };
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
});

Deno.test("deliver() says when a number is not on the app", async () => {
  for (const language of ["he", "en"] as const) {
    await using test = await startTestPhone({ language });
    const missing = { ...TO, phone: "+972501230000" };
    assert.deepEqual(await deliver(test.phone, ACCOUNT, missing, test.gate()), { kind: "not_on_app" });
    assert.equal(test.inside.dialog, null, "the dialog is gone for the next one");
  }
});

Deno.test("deliver() says when the account cannot send any more", async () => {
  const cases = { banned: "banned", restricted: "restricted", loggedOut: "logged_out" } as const;
  for (const language of ["he", "en"] as const) {
    await using test = await startTestPhone({ language });
    for (const [inside, state] of Object.entries(cases)) {
      test.inside.setAccountState("com.whatsapp/0", inside as keyof typeof cases);
      assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "lost", state });
    }
    assert.deepEqual(test.taps(), []);
  }
});

Deno.test("deliver() taps nothing when the work was taken back", async () => {
  await using test = await startTestPhone();
  const gate = test.gate({ beginTapping: () => Promise.resolve(false) });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), { kind: "taken_back" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() lets the tap die on the phone when its time is over, and lookBack() clears the draft", async () => {
  await using test = await startTestPhone();
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate({ remainingMs: () => 0 }));
  assert.deepEqual(result, { kind: "doubt", reason: "tap_too_late", lost: null });
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "draft");
  assert.equal(test.inside.accounts[0]!.drafts.size, 0);
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() does not tap on a phone that was restarted after the look", async () => {
  await using test = await startTestPhone();
  const gate = test.gate({
    async beginTapping(tap) {
      test.intents.push(tap);
      await test.inside.reboot();
      return true;
    },
  });
  assert.equal((await deliver(test.phone, ACCOUNT, TO, gate)).kind, "doubt");
  assert.deepEqual(test.taps(), []);
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "draft");
});

Deno.test("lookBack() finds the untouched draft under a dialog that took the tap, even beside an equal old row", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, TO, test.gate());
  test.lies.dialogBeforeTap = 1;
  assert.equal((await deliver(test.phone, ACCOUNT, TO, test.gate())).kind, "doubt");
  test.lies.dialogBeforeTap = 0;
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[1]!), "draft");
  assert.equal(test.taps().length, 1);
});

Deno.test("lookBack() finds the row of a tap whose proof was not seen", async () => {
  await using test = await startTestPhone();
  const gate = test.gate({ tapped: () => test.lies.dumpFails = 1 });
  assert.equal((await deliver(test.phone, ACCOUNT, TO, gate)).kind, "doubt");
  test.lies.dumpFails = 0;
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "sent");
  assert.equal(test.taps().length, 1);
});

Deno.test("lookBack() proves nothing when the draft is gone and no row is there", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, TO, test.gate({ remainingMs: () => 0 }));
  test.inside.accounts[0]!.drafts.clear();
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), null);
});

Deno.test("deliver() sends a picture with its caption, where the phone asks first too", async () => {
  for (const confirmsShare of [false, true]) {
    await using test = await startTestPhone({ confirmsShare });
    const picture = await withPicture(test, TO);
    assert.deepEqual(await deliver(test.phone, ACCOUNT, picture, test.gate()), { kind: "sent" });
    const [tap] = test.taps();
    assert.equal(tap?.text, TO.text);
    assert.notEqual(tap?.image, null);
  }
});

Deno.test("deliver() does not send a picture whose caption is not on the screen", async () => {
  await using test = await startTestPhone({ dropsCaptions: true });
  const result = await deliver(test.phone, ACCOUNT, await withPicture(test, TO), test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "caption_not_shown" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("lookBack() tells a picture that waits from one that was sent", async () => {
  await using test = await startTestPhone();
  const picture = await withPicture(test, TO);
  await deliver(test.phone, ACCOUNT, picture, test.gate({ remainingMs: () => 0 }));
  assert.equal(await lookBack(test.phone, ACCOUNT, picture, test.intents[0]!), "draft");
  const gate = test.gate({ tapped: () => test.lies.dumpFails = 1 });
  assert.equal((await deliver(test.phone, ACCOUNT, picture, gate)).kind, "doubt");
  test.lies.dumpFails = 0;
  assert.equal(await lookBack(test.phone, ACCOUNT, picture, test.intents[1]!), "sent");
});

Deno.test("deliver() does not take a chat titled by a name for the number's", async () => {
  await using test = await startTestPhone({ contacts: { [TO.phone.slice(1)]: "דנה" } });
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "chat_not_opened" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() uses the account's own app and Android user", async () => {
  const firstInstalledAt = 0;
  await using test = await startTestPhone({
    accounts: [
      { app: "com.whatsapp", user: 0, firstInstalledAt },
      { app: "com.whatsapp.w4b", user: 10, firstInstalledAt },
    ],
  });
  const business: AppAccount = { device: ACCOUNT.device, app: "com.whatsapp.w4b", user: 10 };
  assert.deepEqual(await deliver(test.phone, business, TO, test.gate()), { kind: "sent" });
  assert.equal(test.inside.accounts[1]!.chats.length, 1);
});

async function withPicture(
  test: Awaited<ReturnType<typeof startTestPhone>>,
  message: Message,
): Promise<Message> {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff]);
  const image = { sha256: "a".repeat(64), bytes };
  return { ...message, imagePath: await placeImage(test.phone, ACCOUNT, image, new Map()) };
}
