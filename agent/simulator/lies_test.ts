import assert from "node:assert/strict";
import { createAdbClient } from "../adb/client.ts";
import { createLiar, type LieName, LIES } from "./lies.ts";
import { textsOf, withPhones } from "./testing/with_phones.ts";

const NUMBER = "972501234567";
const OTHER = "972521112223";
const ENTRY = "com.whatsapp:id/entry";
const SEND = "com.whatsapp:id/send";
const ROW = "com.whatsapp:id/message_text";
const traits = () => ({ language: "en" as const, confirmsShare: false });
const always = (lie: LieName) => ({ traits, lies: { [lie]: 1 } });

Deno.test("createLiar() tells no lie at faults 0 and scales every rate by faults", () => {
  const honest = createLiar({ faults: 0, lies: {} }, "seed", "SIM0001");
  const names = Object.keys(LIES) as LieName[];
  for (const lie of names) {
    assert.equal(
      Array.from({ length: 1_000 }).some(() => honest.tells(lie) || honest.tellsOf(lie, "x")),
      false,
    );
  }
  const count = (faults: number) => {
    const liar = createLiar({ faults, lies: {} }, "seed", "SIM0001");
    return Array.from({ length: 20_000 }).filter(() => liar.tells("startIgnored")).length / 20_000;
  };
  assert.ok(Math.abs(count(1) - LIES.startIgnored) < 0.01);
  assert.ok(Math.abs(count(0.5) - LIES.startIgnored / 2) < 0.01);
});

Deno.test("createLiar() repeats itself for a seed, and phones do not share their luck", () => {
  const rolls = (seed: string, serial: string) => {
    const liar = createLiar({ faults: 1, lies: {} }, seed, serial);
    return [liar.roll(), liar.roll(), liar.roll()];
  };
  assert.deepEqual(rolls("a", "SIM0001"), rolls("a", "SIM0001"));
  assert.notDeepEqual(rolls("a", "SIM0001"), rolls("a", "SIM0002"));
  assert.notDeepEqual(rolls("a", "SIM0001"), rolls("b", "SIM0001"));
});

Deno.test("startIgnored: am start exits 0 and the chat before it stays", () => {
  const lies: Partial<Record<LieName, number>> = {};
  return withPhones({ traits, lies }, async ({ openChat, dump }) => {
    await openChat(NUMBER, "first");
    lies.startIgnored = 1;
    await openChat(OTHER, "second");
    assert.deepEqual(textsOf(await dump(), ENTRY), ["first"]);
  });
});

Deno.test("startSlow: the chat comes after am start has answered, and a newer start takes its place", async () => {
  let now = 1_800_000_000_000;
  await withPhones({ ...always("startSlow"), speed: 100, now: () => now }, async ({ openChat, dump }) => {
    await openChat(NUMBER, "first");
    assert.deepEqual(textsOf(await dump(), ENTRY), []);
    await openChat(OTHER, "second");
    now += 1_000;
    assert.deepEqual(textsOf(await dump(), ENTRY), ["second"]);
  });
});

Deno.test("dumpFails: a failed dump exits 0 and leaves the file of the dump before it", () => {
  const lies: Partial<Record<LieName, number>> = {};
  return withPhones({ traits, lies }, async ({ openChat, shell }) => {
    await openChat(NUMBER, "first");
    await shell("uiautomator dump /sdcard/d.xml");
    await openChat(OTHER, "second");
    lies.dumpFails = 1;
    const old = await shell("uiautomator dump /sdcard/d.xml && cat /sdcard/d.xml");
    assert.deepEqual(textsOf(old, ENTRY), ["first"]);
    await assert.rejects(shell("rm -f /sdcard/d.xml; uiautomator dump /sdcard/d.xml && cat /sdcard/d.xml"));
  });
});

Deno.test("dumpFailsAfterSend: only the dump right after a tap on send fails", () =>
  withPhones(always("dumpFailsAfterSend"), async ({ openChat, dump, tap, taps }) => {
    await openChat(NUMBER, "hello");
    await tap(SEND);
    assert.equal(await dump(), null);
    assert.deepEqual(textsOf(await dump(), ROW), ["hello"]);
    assert.equal(taps().length, 1);
  }));

Deno.test("dialogOverChat: the message box is still in the tree, and the tap on send exits 0 and does nothing", () =>
  withPhones(always("dialogOverChat"), async ({ openChat, dump, shell, taps }) => {
    await openChat(NUMBER, "hello");
    const xml = await dump();
    assert.deepEqual(textsOf(xml, ENTRY), ["hello"]);
    assert.equal(textsOf(xml, "android:id/message").length, 1);
    await shell("input tap 990 2270");
    assert.equal(taps().length, 0);
  }));

Deno.test("windowsShuffled: the chat beneath a dialog comes first in the dump", () =>
  withPhones({ traits, lies: { dialogOverChat: 1, windowsShuffled: 1 } }, async ({ openChat, dump }) => {
    await openChat(NUMBER, "hello");
    const xml = (await dump())!;
    assert.ok(xml.indexOf(ENTRY) < xml.indexOf("android:id/message"));
  }));

Deno.test("dialogBeforeTap: a dialog nobody saw takes the tap, and the draft stays", () => {
  const lies: Partial<Record<LieName, number>> = { dialogBeforeTap: 1 };
  return withPhones({ traits, lies }, async ({ openChat, dump, tap, taps }) => {
    await openChat(NUMBER, "hello");
    assert.equal(await tap(SEND), true);
    assert.equal(taps().length, 0);
    assert.deepEqual(textsOf(await dump(), ENTRY), ["hello"]);
  });
});

Deno.test("rowLate: the tap is logged and the draft gone before any row shows", async () => {
  let now = 1_800_000_000_000;
  await withPhones(
    { ...always("rowLate"), speed: 100, now: () => now },
    async ({ openChat, tap, dump, taps }) => {
      await openChat(NUMBER, "hello");
      await tap(SEND);
      assert.equal(taps().length, 1);
      const xml = await dump();
      assert.deepEqual([textsOf(xml, ROW), textsOf(xml, ENTRY)], [[], ["Message"]]);
      now += 1_000;
      assert.deepEqual(textsOf(await dump(), ROW), ["hello"]);
    },
  );
});

Deno.test("captionLost: the picture opens without its caption", () =>
  withPhones(always("captionLost"), async ({ shell, dump, simulator }) => {
    simulator.phones[0]!.files.write("/sdcard/a.jpg", new Uint8Array(1), 0o644, 0);
    await shell(
      "input keyevent 224; wm dismiss-keyguard; am start -a android.intent.action.SEND -p com.whatsapp " +
        `--eu android.intent.extra.STREAM file:///sdcard/a.jpg --es jid ${NUMBER}@s.whatsapp.net ` +
        "--es android.intent.extra.TEXT lost",
    );
    assert.deepEqual(textsOf(await dump(), "com.whatsapp:id/caption"), ["Add a caption…"]);
  }));

Deno.test("focusNull: the focused window is null, as in a transition", () =>
  withPhones(always("focusNull"), async ({ shell }) => {
    assert.match(await shell("dumpsys window"), /mCurrentFocus=null/);
  }));

Deno.test("shellHangs: a command nobody waits for any more still runs", () =>
  withPhones({ ...always("shellHangs"), hangMs: { min: 60, max: 60 } }, async ({ simulator }) => {
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    const phone = simulator.phones[0]!;
    await assert.rejects(adb.shell("SIM0001", "input keyevent 224", { timeoutMs: 10 }));
    assert.equal(phone.isAwake, false);
    // The next command hangs as long, so by its answer the first one has run.
    await adb.shell("SIM0001", "true", { timeoutMs: 5_000 });
    assert.equal(phone.isAwake, true);
  }));

Deno.test("offlineMoment: the phone is offline, its connection ends, and it comes back by itself", () =>
  withPhones({ ...always("offlineMoment"), speed: 1_000 }, async ({ shell, simulator }) => {
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    await assert.rejects(shell("true"));
    const states: (string | undefined)[] = [];
    for await (const [device] of adb.trackDevices(new AbortController().signal)) {
      states.push(device?.state);
      if (device?.state === "device") break;
    }
    assert.equal(states.at(-1), "device");
  }));

Deno.test("numberNotOnApp: the same numbers every time", () => {
  const fates = (seed: string) => {
    const liar = createLiar({ faults: 1, lies: { numberNotOnApp: 0.5 } }, seed, "SIM0001");
    return Array.from({ length: 40 }, (_, i) => liar.tellsOf("numberNotOnApp", `9725012345${i}`));
  };
  assert.deepEqual(fates("a"), fates("a"));
  assert.ok(fates("a").includes(true) && fates("a").includes(false));
});
