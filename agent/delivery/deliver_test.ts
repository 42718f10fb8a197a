import assert from "node:assert/strict";
import { AdbTimeoutError } from "../adb/adb_error.ts";
import { deliver } from "./deliver.ts";
import { lookBack } from "../phone/look_back.ts";
import { placeImage } from "../phone/place_image.ts";
import type { AppAccount, Phone } from "../phone/phone.ts";
import type { Message } from "../phone/prepare.ts";
import type { TapIntent } from "../phone/tap_intent.ts";
import type { LieName } from "../../simulator/phone/lies.ts";
import { ACCOUNT, startTestPhone } from "../testing/test_phone.ts";

const TO: Message = { phone: "+972501234567", text: "שלום 'עולם'\n🙂 & 100%", imagePath: null };
const OTHER: Message = { ...TO, phone: "+972507654321", text: "אחר" };

Deno.test("deliver() sends exactly the text to exactly the number", async () => {
  await using test = await startTestPhone();
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
  assert.deepEqual(test.taps().map(({ phone, text }) => [phone, text]), [[TO.phone, TO.text]]);
});

Deno.test("deliver() sends the same text to the same number again on request", async () => {
  await using test = await startTestPhone();
  for (const text of ["קודם", TO.text, TO.text]) {
    assert.deepEqual(await deliver(test.phone, ACCOUNT, { ...TO, text }, test.gate()), { kind: "sent" });
  }
  assert.equal(test.taps().length, 3);
});

Deno.test("deliver() proves the same text to the same number twice within two minutes, each with its own row", async () => {
  await using test = await startTestPhone();
  // The next minute takes long to come.
  test.clock.stepMs = 100;
  for (const message of [TO, await withPicture(test, { ...OTHER, phone: "+972501112222" })]) {
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(await deliver(test.phone, ACCOUNT, message, test.gate()), { kind: "sent" });
    }
  }
  assert.equal(test.taps().length, 4);
});

Deno.test("deliver() proves a long text by the part the app shows of it", async () => {
  await using test = await startTestPhone();
  const long = { ...TO, text: "אבגד הוזח ".repeat(150).trim() };
  assert.deepEqual(await deliver(test.phone, ACCOUNT, long, test.gate()), { kind: "sent" });
});

Deno.test("deliver() and lookBack() prove nothing by a long text folded with unknown words", async () => {
  await using test = await startTestPhone({ language: "fr" });
  const long = { ...TO, text: "אבגד הוזח ".repeat(150).trim() };
  assert.equal((await deliver(test.phone, ACCOUNT, long, test.gate())).kind, "doubt");
  assert.equal(await lookBack(test.phone, ACCOUNT, long, test.intents[0]!), null);
  assert.equal(test.taps().length, 1);
});

Deno.test("deliver() proves a text with a list and a quotation, whose marks the app draws", async () => {
  await using test = await startTestPhone();
  const list = { ...TO, text: "מבצע:\n- נעליים\n* תיקים\n> עד יום שישי" };
  assert.deepEqual(await deliver(test.phone, ACCOUNT, list, test.gate()), { kind: "sent" });
});

Deno.test("deliver() taps nothing in the previous chat when the intent is ignored", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, OTHER, test.gate());
  test.lies.startIgnored = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "chat_not_opened" });
  assert.equal(test.taps().length, 1);
});

Deno.test("deliver() does not mistake an old dump for the screen", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, OTHER, test.gate());
  await test.phone.run("uiautomator dump /sdcard/shigur-screen.xml");
  test.lies.dumpFails = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "chat_not_opened" });
  assert.equal(test.taps().length, 1);
});

Deno.test("deliver() detects a dialog over the chat, and agrees to nothing", async () => {
  await using test = await startTestPhone();
  test.lies.dialogOverChat = 1;
  test.lies.windowsShuffled = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "phone_screen_blocked" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() closes Android's own dialogs: a permission, an app that hangs", async () => {
  for (const kind of ["permission", "notResponding"] as const) {
    await using test = await startTestPhone();
    const account = test.inside.accounts[0]!;
    test.inside.show({ kind: "chats", account });
    test.inside.dialog = { kind, account };
    assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
  }
});

Deno.test("deliver() does not mistake the last number's dialog for this one's", async () => {
  await using test = await startTestPhone();
  const account = test.inside.accounts[0]!;
  test.inside.dialog = { kind: "notOnApp", account, number: "972501110000" };
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
});

Deno.test("deliver() reports a number that is not on the app", async () => {
  for (const language of ["he", "en"] as const) {
    await using test = await startTestPhone({ language });
    const missing = { ...TO, phone: "+972501230000" };
    assert.deepEqual(await deliver(test.phone, ACCOUNT, missing, test.gate()), { kind: "not_on_app" });
    assert.equal(test.inside.dialog, null, "the dialog is gone for the next one");
  }
});

Deno.test("deliver() reports an account that can no longer send", async () => {
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

Deno.test("deliver() does not mistake people's messages for the app's statement about the account", async () => {
  const theirs = "Your account has been suspended. Verify your phone number";
  await using test = await startTestPhone();
  const account = test.inside.accounts[0]!;
  account.receive(TO.phone.slice(1), "מה זה?", { quoted: theirs });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
  account.receive(OTHER.phone.slice(1), theirs);
  test.inside.show({ kind: "chats", account });
  test.lies.startIgnored = 1;
  const again = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(again, { kind: "not_ready", reason: "chat_not_opened" });
});

Deno.test("deliver() taps nothing when the delivery was recalled", async () => {
  await using test = await startTestPhone();
  const gate = test.gate({ beginTapping: () => Promise.resolve(false) });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), { kind: "taken_back" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() looks again after a long wait for its pace slot, and does not tap a changed screen", async () => {
  await using test = await startTestPhone();
  const { inside } = test;
  const picture = await withPicture(test, TO);
  const changes: [Message, () => void, string][] = [
    [TO, () => inside.accounts[0]!.drafts.set(TO.phone.slice(1), "אחר"), "draft_mismatch"],
    [picture, () => inside.home(), "chat_not_opened"],
  ];
  for (const [message, change, reason] of changes) {
    const gate = test.gate({
      async awaitPaceSlot() {
        change();
        await test.phone.clock.sleep(4_000);
      },
    });
    assert.deepEqual(await deliver(test.phone, ACCOUNT, message, gate), { kind: "not_ready", reason });
  }
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() looks a second time before its tap only when the first look is old", async () => {
  for (const [waitMs, expected] of [[1_000, 1], [4_000, 2]] as const) {
    await using test = await startTestPhone();
    let looks = 0;
    const watched: Phone = {
      ...test.phone,
      run(command, options) {
        if (command.includes("uiautomator") && test.intents.length === 0) looks++;
        return test.phone.run(command, options);
      },
    };
    const gate = test.gate({ awaitPaceSlot: () => test.phone.clock.sleep(waitMs) });
    assert.deepEqual(await deliver(watched, ACCOUNT, TO, gate), { kind: "sent" });
    assert.equal(looks, expected);
  }
});

Deno.test("deliver() counts the pace from a tap's proof when the answer to the tap was lost", async () => {
  await using test = await startTestPhone();
  let tap: string | null = null;
  const late: Phone = {
    ...test.phone,
    async run(command, options) {
      if (command.includes("echo tapped")) {
        tap = command;
        throw new AdbTimeoutError("no answer");
      }
      const output = await test.phone.run(command, options);
      // Runs after the first look for the picture.
      if (tap !== null && command.includes("uiautomator")) await test.phone.run(tap);
      if (command.includes("uiautomator")) tap = null;
      return output;
    },
  };
  const tapsWhenCounted: number[] = [];
  const gate = test.gate({
    tapped: () => void tapsWhenCounted.push(test.taps().length),
    proven: () => assert.fail("its command may still run"),
  });
  assert.deepEqual(await deliver(late, ACCOUNT, TO, gate), { kind: "sent" });
  assert.equal(tapsWhenCounted.at(-1), 1);
});

Deno.test("deliver() lets a late tap end on the phone, and lookBack() clears the draft", async () => {
  await using test = await startTestPhone();
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate({ remainingMs: () => 0 }));
  assert.deepEqual(result, { kind: "doubt", reason: "tap_too_late", lost: null });
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "draft");
  assert.equal(test.inside.accounts[0]!.drafts.size, 0);
  assert.deepEqual(test.taps(), []);
});

Deno.test("deliver() does not tap a phone that restarted after the look, whatever it shows (rule 10)", async () => {
  await using test = await startTestPhone();
  const { inside } = test;
  const gate = test.gate({
    async beginTapping(tap) {
      test.intents.push(tap);
      await inside.reboot();
      inside.wake();
      inside.dismissKeyguard();
      inside.openChat(inside.accounts[0]!, TO.phone.slice(1), TO.text);
      return true;
    },
  });
  assert.equal((await deliver(test.phone, ACCOUNT, TO, gate)).kind, "doubt");
  assert.deepEqual(test.taps(), []);
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "draft");
});

Deno.test("deliver() taps nothing after the deadline on the phone's own clock (rule 10)", async () => {
  await using test = await startTestPhone({}, { hangMs: { min: 12_000, max: 12_000 } });
  const gate = test.gate({ beginTapping: (tap) => letHang(test, "shellHangs", tap) });
  assert.equal((await deliver(test.impatient, ACCOUNT, TO, gate)).kind, "doubt");
  await untilHangIsOver(test);
  assert.deepEqual(test.taps(), []);
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "draft");
});

Deno.test("lookBack() waits until the tap's deadline has passed on the phone (rule 10)", async () => {
  await using test = await startTestPhone();
  await deliver(test.phone, ACCOUNT, TO, test.gate({ remainingMs: () => 0 }));
  const tap = { ...test.intents[0]!, deadlineUptime: Math.floor(test.inside.uptimeMs / 1_000) + 5 };
  const looksAt: number[] = [];
  const watched: Phone = {
    ...test.phone,
    run(command, options) {
      if (command.includes("uiautomator")) looksAt.push(test.inside.uptimeMs / 1_000);
      return test.phone.run(command, options);
    },
  };
  assert.equal(await lookBack(watched, ACCOUNT, TO, tap), "draft");
  assert.ok(looksAt.length === 2 && looksAt.every((uptimeS) => uptimeS > tap.deadlineUptime));
});

Deno.test("lookBack() reports a tap that hangs after its clock check and lands late as sent (rule 10)", async () => {
  await using test = await startTestPhone({}, { hangMs: { min: 12_000, max: 12_000 } });
  const gate = test.gate({ beginTapping: (tap) => letHang(test, "tapHangs", tap) });
  assert.equal((await deliver(test.impatient, ACCOUNT, TO, gate)).kind, "doubt");
  assert.deepEqual(test.taps(), [], "it hangs still");
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), "sent");
  assert.equal(test.taps().length, 1);
});

Deno.test("deliver() taps nothing wrong when a hanging start opens its chat during the next number (rule 10)", async () => {
  await using test = await startTestPhone({}, { hangMs: { min: 6_000, max: 6_000 } });
  test.lies.startHangs = 1;
  await assert.rejects(deliver(test.impatient, ACCOUNT, OTHER, test.gate()), AdbTimeoutError);
  test.lies.startHangs = 0;
  // The late start would do harm between the last look and the tap.
  const gate = test.gate({
    async beginTapping() {
      await test.untilStill();
      return true;
    },
  });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), { kind: "sent" });
  assert.deepEqual(test.taps().map(({ phone, text }) => [phone, text]), [[TO.phone, TO.text]]);
});

Deno.test("deliver() opens no chat from a late start under the next number's fence (rule 10)", async () => {
  await using test = await startTestPhone({}, { hangMs: { min: 6_000, max: 6_000 } });
  const { run } = test.impatient;
  const impatient: Phone = {
    ...test.impatient,
    run(command, options) {
      test.lies.shellHangs = command.includes("am start") ? 1 : 0;
      return run(command, options);
    },
  };
  await assert.rejects(deliver(impatient, ACCOUNT, OTHER, test.gate()), AdbTimeoutError);
  test.lies.shellHangs = 0;
  const gate = test.gate({
    async beginTapping() {
      await untilHangIsOver(test);
      return true;
    },
  });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), { kind: "sent" });
  assert.deepEqual(test.taps().map(({ phone, text }) => [phone, text]), [[TO.phone, TO.text]]);
});

Deno.test("lookBack() needs two equal looks: a draft that was sent between them proves nothing (rule 10)", async () => {
  await using test = await startTestPhone();
  let tap = "";
  let looks = 0;
  const watched: Phone = {
    ...test.phone,
    run(command, options) {
      tap = /input tap \d+ \d+/.exec(command)?.[0] ?? tap;
      if (command.includes("uiautomator")) looks++;
      return test.phone.run(command, options);
    },
    clock: {
      ...test.phone.clock,
      async sleep(ms, signal) {
        if (looks === 1 && test.taps().length === 0) await test.phone.run(tap);
        await test.phone.clock.sleep(ms, signal);
      },
    },
  };
  await deliver(watched, ACCOUNT, TO, test.gate({ remainingMs: () => 0 }));
  looks = 0;
  assert.equal(await lookBack(watched, ACCOUNT, TO, test.intents[0]!), null);
  assert.equal(test.taps().length, 1);
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

Deno.test("lookBack() distinguishes a waiting picture from a sent one", async () => {
  await using test = await startTestPhone();
  const picture = await withPicture(test, TO);
  await deliver(test.phone, ACCOUNT, picture, test.gate({ remainingMs: () => 0 }));
  assert.equal(await lookBack(test.phone, ACCOUNT, picture, test.intents[0]!), "draft");
  const gate = test.gate({ tapped: () => test.lies.dumpFails = 1 });
  assert.equal((await deliver(test.phone, ACCOUNT, picture, gate)).kind, "doubt");
  test.lies.dumpFails = 0;
  assert.equal(await lookBack(test.phone, ACCOUNT, picture, test.intents[1]!), "sent");
});

Deno.test("deliver() does not accept a chat titled by a name as the number's", async () => {
  await using test = await startTestPhone({ contacts: { [TO.phone.slice(1)]: "דנה" } });
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "chat_titled_by_name" });
  const picture = await deliver(test.phone, ACCOUNT, await withPicture(test, TO), test.gate());
  assert.deepEqual(picture, { kind: "not_ready", reason: "chat_titled_by_name" });
  assert.deepEqual(test.taps(), []);
});

/** Screens after a tap that did nothing, and the result of a look back at each. */
const NO_PROOFS: Record<string, [(test: TestPhone) => void, "draft" | null]> = {
  "a new row of the same text in another chat": [(test) => {
    addRow(test, OTHER.phone, TO.text);
    test.inside.openChat(test.inside.accounts[0]!, OTHER.phone.slice(1), "");
  }, "draft"],
  "a new row of another text, and no draft": [(test) => {
    addRow(test, TO.phone, OTHER.text);
    test.inside.accounts[0]!.drafts.clear();
  }, null],
  "an equal row from before, and no draft": [(test) => test.inside.accounts[0]!.drafts.clear(), null],
  "our text by another hand, beside our draft": [(test) => addRow(test, TO.phone, TO.text), null],
};

for (const [name, [act, found]] of Object.entries(NO_PROOFS)) {
  Deno.test(`deliver() and lookBack() do not accept as a tap's proof: ${name}`, async () => {
    await using test = await startTestPhone();
    await deliver(test.phone, ACCOUNT, TO, test.gate());
    test.lies.tapIgnored = 1;
    const gate = test.gate({ tapped: () => act(test) });
    assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, gate), {
      kind: "doubt",
      reason: "send_not_verified",
      lost: null,
    });
    assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[1]!), found);
    assert.equal(test.taps().length, 1);
  });
}

Deno.test("lookBack() proves nothing by another number's chat, whatever its link opens", async () => {
  await using test = await startTestPhone();
  test.lies.tapIgnored = 1;
  assert.equal((await deliver(test.phone, ACCOUNT, TO, test.gate())).kind, "doubt");
  test.lies.wrongChat = 1;
  addRow(test, `${TO.phone.slice(0, -1)}8`, TO.text);
  assert.equal(await lookBack(test.phone, ACCOUNT, TO, test.intents[0]!), null);
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

Deno.test("placeImage() removes our other pictures from the phone, also those of an earlier process", async () => {
  await using test = await startTestPhone();
  const paths: string[] = [];
  for (const hash of ["a", "b"]) {
    const image = { sha256: hash.repeat(64), bytes: new Uint8Array([0xff, 0xd8, 0xff]) };
    paths.push(await placeImage(test.phone, ACCOUNT, image, new Map()));
  }
  assert.deepEqual(paths.map((path) => test.inside.files.read(path) !== null), [false, true]);
});

Deno.test("deliver() sends a picture from the right account when an app has two", async () => {
  const firstInstalledAt = 0;
  await using test = await startTestPhone({
    accounts: [0, 10].map((user) => ({ app: "com.whatsapp", user, firstInstalledAt })),
  });
  const second: AppAccount = { ...ACCOUNT, user: 10 };
  for (const message of [TO, await withPicture(test, OTHER)]) {
    assert.deepEqual(await deliver(test.phone, second, message, test.gate()), { kind: "sent" });
  }
  assert.deepEqual(test.taps().map(({ account }) => account), Array(2).fill("com.whatsapp/10"));
});

type TestPhone = Awaited<ReturnType<typeof startTestPhone>>;

/** Adds a message that a person sends from this account by hand. */
function addRow(test: TestPhone, phone: string, text: string): void {
  const [account] = test.inside.accounts;
  const at = new Date(test.clock.now()).toISOString();
  account!.addTap({ at, serial: ACCOUNT.device, account: account!.key, phone, text, image: null });
}

/** Lets only the next command hang. */
function letHang(test: TestPhone, lie: LieName, tap: TapIntent): Promise<boolean> {
  test.intents.push(tap);
  test.lieOnce(lie);
  return Promise.resolve(true);
}

/** Waits until every hang that began before this call has ended: another hang takes as long. */
async function untilHangIsOver(test: TestPhone): Promise<void> {
  test.lies.shellHangs = 1;
  await test.phone.run("true");
  test.lies.shellHangs = 0;
}

async function withPicture(
  test: TestPhone,
  message: Message,
): Promise<Message> {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff]);
  const image = { sha256: "a".repeat(64), bytes };
  return { ...message, imagePath: await placeImage(test.phone, ACCOUNT, image, new Map()) };
}
