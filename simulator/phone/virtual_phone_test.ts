import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createAdbClient } from "../../agent/adb/client.ts";
import { descriptionsOf, textsOf, withPhones } from "../testing/with_phones.ts";

const NUMBER = "972501234567";
const SEND = "com.whatsapp:id/send";
const ENTRY = "com.whatsapp:id/entry";
const ROW = "com.whatsapp:id/message_text";
const TITLE = "com.whatsapp:id/conversation_contact_name";
const english = () => ({ language: "en" as const, confirmsShare: false });

Deno.test("a phone sends the draft of a link, exactly, and shows it as the newest row", () =>
  withPhones({ traits: english }, async ({ openChat, dump, tap, taps }) => {
    const text = `שלום 'לכם' & "יום" 🙂\nשורה 100% +1`;
    await openChat(NUMBER, "first");
    await tap(SEND);
    await openChat(NUMBER, text);
    const before = await dump();
    assert.deepEqual(textsOf(before, TITLE), ["\u202a+972 50-123-4567\u202c"]);
    assert.deepEqual(textsOf(before, ENTRY), [
      text.replace("&", "&amp;").replaceAll('"', "&quot;")
        .replace("🙂", "&#128578;").replace("\n", "&#10;"),
    ]);
    assert.equal(await tap(SEND), true);
    const after = await dump();
    assert.deepEqual(textsOf(after, ROW), ["first", textsOf(before, ENTRY)[0]]);
    assert.deepEqual(textsOf(after, ENTRY), ["Message"]);
    assert.deepEqual(descriptionsOf(after, "com.whatsapp:id/status"), ["Delivered", "Delivered"]);
    assert.equal(await tap(SEND), false);
    assert.deepEqual(
      taps().map(({ at: _, ...tap }) => tap),
      ["first", text].map((sent) => ({
        serial: "SIM0001",
        account: "com.whatsapp/0",
        phone: `+${NUMBER}`,
        text: sent,
        image: null,
      })),
    );
  }));

Deno.test("the guarded tap taps in time and on its own boot, and otherwise prints late", () =>
  withPhones({}, async ({ openChat, shell, taps, simulator: { phones: [phone] } }) => {
    const guarded = (deadline: number, bootId: string) =>
      shell(
        `read up rest < /proc/uptime; up=\${up%%.*}; if [ "$up" -lt ${deadline} ] && ` +
          `[ "$(cat /proc/sys/kernel/random/boot_id)" = "${bootId}" ]; then ` +
          `input tap 990 2270 && echo tapped; else echo late; fi`,
      );
    const uptimeS = Math.floor(phone!.uptimeMs / 1_000);
    await openChat(NUMBER, "one");
    assert.equal(await guarded(uptimeS - 1, phone!.bootId), "late\n");
    assert.equal(await guarded(uptimeS + 60, crypto.randomUUID()), "late\n");
    assert.equal(taps().length, 0);
    assert.equal(await guarded(uptimeS + 60, phone!.bootId), "tapped\n");
    assert.equal(taps().length, 1);
  }));

Deno.test("a phone unplugged at its tap has sent, and stays absent until it is plugged in again", () =>
  withPhones({}, async ({ openChat, tap, taps, simulator: { phones: [phone] } }) => {
    phone!.isUnpluggedAtTap = true;
    await openChat(NUMBER, "one");
    await assert.rejects(tap(SEND));
    assert.deepEqual([taps().length, phone!.availability], [1, "unplugged"]);
    phone!.replug();
    await openChat(NUMBER, "two");
    assert.equal(await tap(SEND), true);
    assert.deepEqual([taps().length, phone!.availability], [2, "device"]);
  }));

Deno.test("a draft remains after its chat is left; a link's text replaces it, a link without text does not", () =>
  withPhones({ traits: english }, async ({ openChat, dump, shell }) => {
    await openChat(NUMBER, "old");
    await shell("am force-stop com.whatsapp");
    await openChat("972521112223", "other");
    await openChat(NUMBER, null);
    assert.deepEqual(textsOf(await dump(), ENTRY), ["old"]);
    await openChat(NUMBER, "new");
    assert.deepEqual(textsOf(await dump(), ENTRY), ["new"]);
    await shell(`input tap 500 2270; input keyevent 123 ${"67 ".repeat(3)}`);
    assert.deepEqual(textsOf(await dump(), ENTRY), ["Message"]);
    await openChat(NUMBER, "some\nmore\nlines");
    await shell(`input tap 500 2270; input keyevent 123 ${"67 ".repeat(20)}`);
    assert.deepEqual(textsOf(await dump(), ENTRY), ["&#10;lines"]);
    await shell(`input keyevent ${"112 ".repeat(20)}`);
    assert.deepEqual(textsOf(await dump(), ENTRY), ["Message"]);
  }));

Deno.test("a number ending in 0000 brings a dialog that takes every tap until it is dismissed", () =>
  withPhones({ traits: english }, async ({ openChat, dump, tap, taps, shell }) => {
    await openChat("972501230000", "hello");
    assert.match(textsOf(await dump(), "android:id/message")[0]!, /isn't on WhatsApp/);
    await openChat(NUMBER, "hello");
    assert.match(textsOf(await dump(), "android:id/message")[0]!, /0000/);
    await shell("input tap 990 2270");
    assert.equal(taps().length, 0);
    await tap("android:id/button1");
    assert.deepEqual(textsOf(await dump(), ENTRY), ["hello"]);
  }));

Deno.test("a shared picture shows its caption, is logged by its hash, and lands in the chat", () =>
  withPhones({ traits: english }, async ({ openChat, dump, tap, taps, shell, simulator }) => {
    const bytes = new Uint8Array([1, 2, 3]);
    await createAdbClient({ hostname: "127.0.0.1", port: simulator.port })
      .push("SIM0001", bytes, "/sdcard/Download/a b.jpg", { timeoutMs: 5_000 });
    await openChat(NUMBER, null);
    const share = (path: string) =>
      shell(
        `am start --user 0 -a android.intent.action.SEND -t 'image/*' --eu android.intent.extra.STREAM ` +
          `'file://${path}' --es android.intent.extra.TEXT 'כיתוב' --es jid ${NUMBER}@s.whatsapp.net -p com.whatsapp`,
      );
    await share("/sdcard/Download/none.jpg");
    assert.deepEqual(textsOf(await dump(), "com.whatsapp:id/caption"), []);
    await share("/sdcard/Download/a b.jpg");
    assert.deepEqual(textsOf(await dump(), "com.whatsapp:id/caption"), ["כיתוב"]);
    await tap(SEND);
    const image = createHash("sha256").update(bytes).digest("hex");
    assert.deepEqual(taps().map((one) => [one.text, one.image]), [["כיתוב", image]]);
    assert.deepEqual(textsOf(await dump(), "com.whatsapp:id/caption"), ["כיתוב"]);
    assert.deepEqual(textsOf(await dump(), TITLE).length, 1);
  }));

Deno.test("a phone that asks before sharing opens the picture only after OK", () =>
  withPhones(
    { traits: () => ({ ...english(), confirmsShare: true }) },
    async ({ dump, tap, shell, simulator }) => {
      simulator.phones[0]!.files.write("/sdcard/a.jpg", new Uint8Array(1), 0o644, 0);
      await shell(
        "input keyevent 224; wm dismiss-keyguard; am start -a android.intent.action.SEND -p com.whatsapp " +
          `--eu android.intent.extra.STREAM file:///sdcard/a.jpg --es jid ${NUMBER}@s.whatsapp.net`,
      );
      assert.match(textsOf(await dump(), "android:id/message")[0]!, /^Send to .*\?$/);
      await tap("android:id/button1");
      assert.equal(textsOf(await dump(), "com.whatsapp:id/caption").length, 1);
    },
  ));

Deno.test("a dark or locked phone shows no chat and takes no tap; a PIN keeps it locked", () =>
  withPhones({}, async ({ openChat, dump, shell, taps, simulator: { phones: [phone] } }) => {
    await openChat(NUMBER, "hello");
    phone!.lock();
    assert.deepEqual(textsOf(await dump(), ENTRY), []);
    await shell("input tap 990 2270; input keyevent 224; input tap 990 2270");
    assert.equal(taps().length, 0);
    assert.match(await shell("dumpsys power"), /mWakefulness=Awake/);
    assert.match(await shell("dumpsys window"), /isKeyguardShowing=true/);
    phone!.traits.hasPin = true;
    await openChat(NUMBER, "hello");
    assert.deepEqual(textsOf(await dump(), ENTRY), []);
  }));

Deno.test("banned, restricted and logged-out accounts show their screen in place of any chat", () =>
  withPhones({ traits: english }, async ({ openChat, dump, shell, simulator: { phones: [phone] } }) => {
    const cases: [() => void, RegExp][] = [
      [() => phone!.setAccountState("com.whatsapp/0", "banned"), /not allowed to use WhatsApp/],
      [() => phone!.setAccountState("com.whatsapp/0", "restricted"), /temporarily restricted/],
      [() => phone!.setAccountState("com.whatsapp/0", "loggedOut"), /Verify your phone number/],
    ];
    for (const [happen, expected] of cases) {
      happen();
      await openChat(NUMBER, "hello");
      const xml = await dump();
      assert.match(xml!, expected);
      assert.deepEqual(textsOf(xml, ENTRY), []);
    }
    assert.match(await shell("dumpsys window"), /mCurrentFocus=.*registration\.RegisterPhone/);
    assert.throws(() => phone!.setAccountState("com.other/0", "banned"), RangeError);
  }));

Deno.test("a reboot changes the boot id, restarts uptime, and keeps drafts and chats", () =>
  withPhones({ traits: english }, async ({ openChat, tap, dump, shell, simulator: { phones: [phone] } }) => {
    await openChat(NUMBER, "sent");
    await tap(SEND);
    await openChat(NUMBER, "draft");
    const bootId = await shell("cat /proc/sys/kernel/random/boot_id");
    await phone!.reboot();
    assert.notEqual(await shell("cat /proc/sys/kernel/random/boot_id"), bootId);
    assert.ok(Number((await shell("cat /proc/uptime")).split(" ")[0]) < 60);
    assert.match(await shell("dumpsys power"), /Asleep/);
    await openChat(NUMBER, null);
    const xml = await dump();
    assert.deepEqual([textsOf(xml, ROW), textsOf(xml, ENTRY)], [["sent"], ["draft"]]);
  }));

Deno.test("a tick goes from pending to sent to delivered as time passes", async () => {
  let now = Date.parse("2026-11-22T08:00:00Z");
  await withPhones({ traits: english, now: () => now }, async ({ openChat, shell, dump, simulator }) => {
    await openChat(NUMBER, "hello");
    assert.equal(simulator.phones[0]!.context.clock.speed, Infinity);
    await shell("input tap 990 2270");
    assert.deepEqual(descriptionsOf(await dump(), "com.whatsapp:id/status"), ["Delivered"]);
    assert.deepEqual(textsOf(await dump(), "com.whatsapp:id/date"), ["10:00"]);
  });
  await withPhones({ traits: english, now: () => now, speed: 1_000 }, async ({ openChat, shell, dump }) => {
    await openChat(NUMBER, "hello");
    await shell("input tap 990 2270");
    const seen: (string | undefined)[] = [];
    for (const ms of [0, 3, 100]) {
      now += ms;
      seen.push(descriptionsOf(await dump(), "com.whatsapp:id/status")[0]);
    }
    assert.deepEqual([seen[0], seen[2]], ["Pending", "Delivered"]);
  });
});

Deno.test("an idle screen goes dark after 30 s unless it is set to stay on", async () => {
  let now = Date.parse("2026-11-22T08:00:00Z");
  await withPhones({ now: () => now }, async ({ shell }) => {
    await shell("input keyevent 224");
    now += 31_000;
    assert.match(await shell("dumpsys power"), /Asleep/);
    await shell("input keyevent 224; svc power stayon usb");
    now += 31_000;
    assert.match(await shell("dumpsys power"), /Awake/);
  });
});

Deno.test("a phone accepts a note for the person beside it, and no other service of cmd", () =>
  withPhones({ traits: english }, async ({ shell }) => {
    const post = "cmd notification post -S bigtext -t Shigur shigur-identify Shigur";
    assert.equal(await shell(`${post} && echo posted`), "posted\n");
    await assert.rejects(shell("cmd statusbar disable"), /Unknown command/);
  }));
