import assert from "node:assert/strict";
import { deliver } from "../delivery/deliver.ts";
import { ACCOUNT, startTestPhone } from "../testing/test_phone.ts";
import type { Phone } from "./phone.ts";
import { placeImage } from "./place_image.ts";
import type { Message } from "./prepare.ts";

type TestPhone = Awaited<ReturnType<typeof startTestPhone>>;

const TO: Message = { phone: "+972501234567", text: "שלום 'עולם'\n🙂 & 100%", imagePath: null };
const OTHER = "972507654321";
const IMAGE = { sha256: "a".repeat(64), bytes: new Uint8Array([0xff, 0xd8, 0xff]) };
const NOT_OPENED = { kind: "not_ready", reason: "chat_not_opened" };
const BLOCKED = { kind: "not_ready", reason: "phone_screen_blocked" };
/** A phone that is fast, but half a second late with its lies. The seed's first roll decides this. */
const LATE = { speed: 1, sleep: () => Promise.resolve(), seed: "patience" };

/** Opens the chat of another number, with this message's own text in its box. */
function leaveAnotherChatOpen({ inside }: TestPhone): void {
  inside.wake();
  inside.dismissKeyguard();
  inside.openChat(inside.accounts[0]!, OTHER, TO.text);
}

async function withPicture(phone: Phone): Promise<Message> {
  return { ...TO, imagePath: await placeImage(phone, ACCOUNT, IMAGE, new Map()) };
}

/** Returns the same phone, and calls `onCommand` before each command. */
function watched(phone: Phone, onCommand: (command: string) => void): Phone {
  return {
    ...phone,
    run(command, options) {
      onCommand(command);
      return phone.run(command, options);
    },
  };
}

Deno.test("lie: am start does not navigate – the chat check keeps the tap out of the previous chat", async () => {
  await using test = await startTestPhone();
  leaveAnotherChatOpen(test);
  Object.assign(test.lies, { startIgnored: 1, homeIgnored: 1 });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), NOT_OPENED);
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: the link opens another number's chat – the number in its title is compared whole", async () => {
  await using test = await startTestPhone();
  test.lies.wrongChat = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), NOT_OPENED);
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: the chat comes seconds after am start – it is looked for again", async () => {
  await using test = await startTestPhone({}, LATE);
  test.lies.startSlow = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
});

for (const lie of ["wrongChat", "otherAccount"] as const) {
  Deno.test(`lie: late, another chat comes over this one (${lie}) – what an earlier opening left is not looked at`, async () => {
    const accounts = [0, 10].map((user) => ({ app: "com.whatsapp", user, firstInstalledAt: 0 }));
    await using test = await startTestPhone({ accounts }, LATE);
    const { inside } = test;
    inside.wake();
    inside.dismissKeyguard();
    inside.openChat(inside.accounts[0]!, TO.phone.slice(1), TO.text);
    Object.assign(test.lies, { startSlow: 1, [lie]: 1 });
    assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), NOT_OPENED);
    assert.deepEqual(test.taps(), []);
  });
}

Deno.test("lie: the app opens for another Android user – the focused window's user keeps the tap out of that account", async () => {
  const accounts = [0, 10].map((user) => ({ app: "com.whatsapp", user, firstInstalledAt: 0 }));
  await using test = await startTestPhone({ accounts });
  test.lies.otherAccount = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), NOT_OPENED);
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: the focused window is null in a transition – nothing is believed before it is named", async () => {
  const accounts = [0, 10].map((user) => ({ app: "com.whatsapp", user, firstInstalledAt: 0 }));
  await using test = await startTestPhone({ accounts });
  Object.assign(test.lies, { otherAccount: 1, focusNull: 1 });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), NOT_OPENED);
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: the chat is titled by a name – a name is no number, and nothing is tapped", async () => {
  await using test = await startTestPhone();
  test.lies.nameTitle = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "chat_titled_by_name" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: the picture's receiver is a name – it may be anybody, and nothing is tapped", async () => {
  await using test = await startTestPhone();
  const phone = watched(test.phone, (command) => {
    if (command.includes("android.intent.action.SEND")) test.lies.nameTitle = 1;
  });
  assert.equal((await deliver(phone, ACCOUNT, await withPicture(phone), test.gate())).kind, "not_ready");
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: an older draft outlives the link's text – the draft is compared whole", async () => {
  await using test = await startTestPhone();
  test.lies.draftKept = 1;
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "draft_mismatch" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: the chat opens without the text – a hint is no draft, and the voice button is not send", async () => {
  await using test = await startTestPhone({ language: "he" });
  const hint = { ...TO, text: "הודעה" };
  assert.deepEqual(await deliver(test.phone, ACCOUNT, hint, test.gate()), { kind: "sent" });
  test.lies.draftLost = 1;
  const result = await deliver(test.phone, ACCOUNT, { ...hint, phone: `+${OTHER}` }, test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "draft_mismatch" });
  assert.equal(test.taps().length, 1);
});

Deno.test("lie: the picture opens without its caption – it is not sent without", async () => {
  await using test = await startTestPhone();
  test.lies.captionLost = 1;
  const result = await deliver(test.phone, ACCOUNT, await withPicture(test.phone), test.gate());
  assert.deepEqual(result, { kind: "not_ready", reason: "caption_not_shown" });
  assert.deepEqual(test.taps(), []);
});

Deno.test("lie: the app asks before a picture opens – the question is known by its words, and agreed to", async () => {
  for (const language of ["he", "en", "ar", "ru"] as const) {
    await using test = await startTestPhone({ language });
    test.lies.shareAsks = 1;
    const picture = await withPicture(test.phone);
    assert.deepEqual(await deliver(test.phone, ACCOUNT, picture, test.gate()), { kind: "sent" });
  }
});

/** Watches for what is pressed: the tap on send is the one with an echo. */
function presses(phone: Phone): { phone: Phone; pressed: string[] } {
  const pressed: string[] = [];
  return {
    pressed,
    phone: watched(phone, (command) => {
      if (/input tap/.test(command) && !command.includes("echo tapped")) pressed.push(command);
    }),
  };
}

Deno.test("lie: the app asks whether to send to somebody else – OK is pressed for this number alone", async () => {
  for (const language of ["he", "en", "ar", "ru"] as const) {
    for (const name of ["דנה לוי", "+972 54-999-8888", "5 chats", "My status", "+972 50-123-4567, Dana"]) {
      await using test = await startTestPhone({ language });
      test.lies.shareAsks = 1;
      const picture = await withPicture(test.phone);
      const { phone, pressed } = presses(watched(test.phone, (command) => {
        if (command.includes("android.intent.action.SEND")) {
          test.inside.traits.contacts[TO.phone.slice(1)] = name;
        } else if (command.includes("android.intent.action.VIEW")) {
          delete test.inside.traits.contacts[TO.phone.slice(1)];
        }
      }));
      assert.deepEqual(await deliver(phone, ACCOUNT, picture, test.gate()), BLOCKED, name);
      assert.deepEqual([pressed, test.taps()], [[], []], name);
    }
  }
});

Deno.test("lie: the question whether to send lies over the chat of a text – it is left with the back key", async () => {
  await using test = await startTestPhone();
  const { inside } = test;
  const account = inside.accounts[0]!;
  const number = TO.phone.slice(1);
  const next = { kind: "picture", account, number, path: "/sdcard/x.jpg", caption: "" } as const;
  const { phone, pressed } = presses(watched(test.phone, (command) => {
    if (command.includes("android.intent.action.VIEW")) {
      inside.dialog = { kind: "shareConfirm", account, number, next };
    }
  }));
  assert.equal((await deliver(phone, ACCOUNT, TO, test.gate())).kind, "not_ready");
  assert.deepEqual([pressed, test.taps()], [[], []]);
});

Deno.test("lie: a push is acknowledged and the file is not there – the phone is asked for it", async () => {
  await using test = await startTestPhone();
  const placed = new Map<string, string>();
  test.lies.pushLost = 1;
  await assert.rejects(placeImage(test.phone, ACCOUNT, IMAGE, placed), /does not have it/);
  test.lies.pushLost = 0;
  const path = await placeImage(test.phone, ACCOUNT, IMAGE, placed);
  await test.phone.run(`rm ${path}`);
  await placeImage(test.phone, ACCOUNT, IMAGE, placed);
  assert.ok(test.inside.files.read(path), "what the phone cleaned up is placed again");
});

Deno.test("lie: the dump cannot get idle state – it is looked at again", async () => {
  await using test = await startTestPhone();
  test.inside.dumpsToFail = 2;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
});

Deno.test("lie: a dump hangs for good (dumpHangs) – it is killed on the phone, costs one reading, and the phone is free", async () => {
  const hangMs = { min: 86_400_000, max: 86_400_000 };
  await using test = await startTestPhone({}, { hangMs });
  let dumps = 0;
  const phone = watched(test.phone, (command) => {
    if (command.includes("uiautomator")) test.lies.dumpHangs = ++dumps === 1 ? 1 : 0;
  });
  assert.deepEqual(await deliver(phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
  assert.deepEqual([...test.inside.processes], []);
});

for (const lie of ["dumpFails", "dumpStale"] as const) {
  Deno.test(`lie: the file is of the dump before (${lie}) – it is removed first, and shows nothing`, async () => {
    await using test = await startTestPhone();
    leaveAnotherChatOpen(test);
    test.inside.openChat(test.inside.accounts[0]!, TO.phone.slice(1), TO.text);
    await test.phone.run("uiautomator dump /sdcard/shigur-screen.xml");
    leaveAnotherChatOpen(test);
    Object.assign(test.lies, { startIgnored: 1, [lie]: 1 });
    assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), NOT_OPENED);
    assert.deepEqual(test.taps(), []);
  });
}

Deno.test("lie: a dialog lies over the chat, whose box is still in the tree – the dialog counts", async () => {
  await using test = await startTestPhone();
  test.lies.dialogOverChat = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), BLOCKED);
});

Deno.test("lie: windows come in any order – a dialog is looked for in all of them", async () => {
  await using test = await startTestPhone();
  Object.assign(test.lies, { dialogOverChat: 1, windowsShuffled: 1 });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), BLOCKED);
});

Deno.test("lie: a dialog hides the message box – that is no number without the app", async () => {
  await using test = await startTestPhone();
  test.lies.dialogHidesChat = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), BLOCKED);
});

Deno.test("lie: a dialog minds no back key – the app is ended, and the message sent", async () => {
  await using test = await startTestPhone();
  test.inside.dialog = { kind: "smsDefault", account: test.inside.accounts[0]!, sticks: true };
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "sent" });
});

Deno.test("lie: the question for the default SMS app is an activity of the registration – it is no logout", async () => {
  await using test = await startTestPhone();
  test.lies.dialogSticks = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), BLOCKED);
});

Deno.test("lie: a dialog of the number before lies over this one's chat – it names another number", async () => {
  await using test = await startTestPhone();
  test.lies.dialogLeft = 1;
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), BLOCKED);
});

Deno.test("lie: words are of another language – nothing is agreed to that was not understood", async () => {
  await using test = await startTestPhone();
  Object.assign(test.lies, { otherLanguage: 1, numberNotOnApp: 1 });
  const taps: string[] = [];
  const phone = watched(test.phone, (command) => command.includes("input tap") && taps.push(command));
  assert.equal((await deliver(phone, ACCOUNT, TO, test.gate())).kind, "unknown_screen");
  assert.deepEqual(taps, []);
});

Deno.test("lie: a dialog of a new version lies over the chat – it is left as it is, and the account stops", async () => {
  for (const language of ["he", "en", "ar", "ru"] as const) {
    await using test = await startTestPhone({ language });
    test.lies.newDialog = 1;
    const touches: string[] = [];
    const phone = watched(test.phone, (command) => {
      if (/input (tap|keyevent 4)|force-stop/.test(command)) touches.push(command);
    });
    const result = await deliver(phone, ACCOUNT, TO, test.gate());
    assert.equal(result.kind === "unknown_screen" && result.screen.kind, "dialog");
    assert.deepEqual([touches, test.inside.dialog?.kind, test.taps()], [[], "news", []]);
  }
});

Deno.test("lie: the app's words are in four languages – a number without the app is known in each", async () => {
  for (const language of ["he", "en", "ar", "ru"] as const) {
    await using test = await startTestPhone({ language });
    test.lies.numberNotOnApp = 1;
    assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "not_on_app" });
  }
});

for (
  const [lie, state] of [["banned", "banned"], ["restricted", "restricted"], [
    "loggedOut",
    "logged_out",
  ]] as const
) {
  Deno.test(`lie: the account is ${state} – its screen is known in each language, and the work goes back`, async () => {
    for (const language of ["he", "en", "ar", "ru"] as const) {
      await using test = await startTestPhone({ language });
      test.lies[lie] = 1;
      assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), { kind: "lost", state });
    }
  });
}

Deno.test("lie: a logout in a language nobody knows – its activity says so", async () => {
  await using test = await startTestPhone();
  Object.assign(test.lies, { otherLanguage: 1, loggedOut: 1 });
  const result = await deliver(test.phone, ACCOUNT, TO, test.gate());
  assert.deepEqual(result, { kind: "lost", state: "logged_out" });
});

Deno.test("lie: somebody locked the phone with its PIN – its screen is called blocked", async () => {
  await using test = await startTestPhone({ hasPin: true });
  assert.deepEqual(await deliver(test.phone, ACCOUNT, TO, test.gate()), BLOCKED);
});
