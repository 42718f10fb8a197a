import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { createAdbClient } from "../../agent/adb/client.ts";
import { encodeHexFrame } from "../../agent/adb/wire.ts";
import { GO_HOME } from "../../agent/phone/go_home.ts";
import { createLiar, type LieName, type LieRates, LIES } from "./lies.ts";
import { descriptionsOf, textsOf, withPhones } from "../testing/with_phones.ts";

const NUMBER = "972501234567";
const OTHER = "972521112223";
const ENTRY = "com.whatsapp:id/entry";
const SEND = "com.whatsapp:id/send";
const TITLE = "com.whatsapp:id/conversation_contact_name";
const ROW = "com.whatsapp:id/message_text";
const traits = () => ({ language: "en" as const, confirmsShare: false });
const always = (lie: LieName) => ({ traits, lies: { [lie]: 1 } });

Deno.test("createLiar() tells no lie at faults 0 and scales every rate by faults", () => {
  const honest = createLiar({ faults: 0, lies: {} }, "seed", "SIM0001");
  const names = Object.keys(LIES) as LieName[];
  for (const lie of names) {
    assert.equal(
      Array.from({ length: 1_000 }).some(() => honest.lies(lie) || honest.liesAbout(lie, "x")),
      false,
    );
  }
  const count = (faults: number) => {
    const liar = createLiar({ faults, lies: {} }, "seed", "SIM0001");
    return Array.from({ length: 20_000 }).filter(() => liar.lies("startIgnored")).length / 20_000;
  };
  assert.ok(Math.abs(count(1) - LIES.startIgnored) < 0.01);
  assert.ok(Math.abs(count(0.5) - LIES.startIgnored / 2) < 0.01);
});

Deno.test("every lie has its trials, and its line in the README with the check that answers it", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../../${path}`, import.meta.url));
  const paths = globSync("agent/phone/trials_*_test.ts", {
    cwd: new URL("../../", import.meta.url).pathname,
  });
  const trials =
    (await Promise.all([...paths, "agent/site/replies_loop_test.ts", "agent/site/stills_test.ts"].map(read)))
      .join("\n");
  const lines = (await read("simulator/README.md")).split("\n").filter((line) => line.startsWith("|"));
  for (const lie of Object.keys(LIES)) {
    assert.match(trials, new RegExp(`\\{ ${lie}: `), lie);
    assert.ok(lines.some((line) => line.includes(`\`${lie}\``)), lie);
  }
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

Deno.test("startIgnored: am start exits 0 and the previous chat stays", () => {
  const lies: LieRates = {};
  return withPhones({ traits, lies }, async ({ openChat, dump }) => {
    await openChat(NUMBER, "first");
    lies.startIgnored = 1;
    await openChat(OTHER, "second");
    assert.deepEqual(textsOf(await dump(), ENTRY), ["first"]);
  });
});

Deno.test("homeIgnored: am start of the launcher exits 0 and the chat stays", () => {
  const lies: LieRates = {};
  return withPhones({ traits, lies }, async ({ openChat, dump, shell }) => {
    await openChat(NUMBER, "first");
    lies.homeIgnored = 1;
    await shell(GO_HOME);
    assert.deepEqual(textsOf(await dump(), ENTRY), ["first"]);
    lies.homeIgnored = 0;
    await shell(GO_HOME);
    assert.deepEqual(textsOf(await dump(), ENTRY), []);
  });
});

Deno.test("startSlow: the chat opens after am start has returned, and a newer start replaces it", async () => {
  let now = 1_800_000_000_000;
  await withPhones({ ...always("startSlow"), speed: 100, now: () => now }, async ({ openChat, dump }) => {
    await openChat(NUMBER, "first");
    assert.deepEqual(textsOf(await dump(), ENTRY), []);
    await openChat(OTHER, "second");
    now += 1_000;
    assert.deepEqual(textsOf(await dump(), ENTRY), ["second"]);
  });
});

Deno.test("dumpFails: a failed dump exits 0 and leaves the previous dump's file", () => {
  const lies: LieRates = {};
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

Deno.test("dumpFailsAfterSend: only dumps right after a tap on send fail, eight at most", () =>
  withPhones(always("dumpFailsAfterSend"), async ({ openChat, dump, tap, taps }) => {
    await openChat(NUMBER, "hello");
    await tap(SEND);
    assert.equal(await dump(), null);
    let xml = null;
    for (let dumps = 1; dumps <= 8 && xml === null; dumps++) xml = await dump();
    assert.deepEqual(textsOf(xml, ROW), ["hello"]);
    assert.equal(taps().length, 1);
  }));

Deno.test("dumpStale: a dump reports success, and its file is the previous one", () => {
  const lies: LieRates = {};
  return withPhones({ traits, lies }, async ({ openChat, shell }) => {
    await openChat(NUMBER, "first");
    await shell("uiautomator dump /sdcard/d.xml");
    await openChat(OTHER, "second");
    lies.dumpStale = 1;
    const old = await shell("uiautomator dump /sdcard/d.xml && cat /sdcard/d.xml");
    assert.match(old, /hierchary dumped to/);
    assert.deepEqual(textsOf(old, ENTRY), ["first"]);
  });
});

Deno.test("wrongChat: another number's chat opens, with our text in its box", () =>
  withPhones(always("wrongChat"), async ({ openChat, dump }) => {
    await openChat(NUMBER, "hello");
    const xml = await dump();
    assert.deepEqual(textsOf(xml, TITLE), ["\u202a+972 50-123-4568\u202c"]);
    assert.deepEqual(textsOf(xml, ENTRY), ["hello"]);
  }));

Deno.test("otherAccount: the intent for one Android user opens another user's app, and the focus names that user", () => {
  const app = "com.whatsapp";
  const accounts = [0, 10].map((user) => ({ app, user, firstInstalledAt: 0 }));
  const options = { traits: () => ({ ...traits(), accounts }), lies: { otherAccount: 1 } };
  return withPhones(options, async ({ openChat, tap, taps, shell }) => {
    await openChat(NUMBER, "hello");
    assert.match(await shell("dumpsys window"), /mCurrentFocus=Window\{\w+ u10 com\.whatsapp\//);
    await tap(SEND);
    assert.deepEqual(taps().map(({ account }) => account), ["com.whatsapp/10"]);
  });
});

Deno.test("nameTitle: the chat is titled by a name", () =>
  withPhones(always("nameTitle"), async ({ openChat, dump }) => {
    await openChat(NUMBER, "hello");
    assert.deepEqual(textsOf(await dump(), TITLE), ["דנה"]);
  }));

Deno.test("draftKept: an older draft stays where the link's text should be", () => {
  const lies: LieRates = {};
  return withPhones({ traits, lies }, async ({ openChat, dump }) => {
    await openChat(NUMBER, "first");
    lies.draftKept = 1;
    await openChat(NUMBER, "second");
    assert.deepEqual(textsOf(await dump(), ENTRY), ["first"]);
    await openChat(OTHER, "second");
    assert.deepEqual(textsOf(await dump(), ENTRY), ["second (טיוטה קודמת)"]);
  });
});

Deno.test("draftLost: the box shows its hint, and the voice button replaces the send button", () =>
  withPhones(always("draftLost"), async ({ openChat, dump, shell, taps }) => {
    await openChat(NUMBER, "hello");
    const xml = await dump();
    assert.deepEqual([textsOf(xml, ENTRY), textsOf(xml, SEND)], [["Message"], []]);
    assert.match(xml!, /voice_note_btn/);
    await shell("input tap 990 2270");
    assert.equal(taps().length, 0);
  }));

Deno.test("pushLost: a push is acknowledged, and the file is not there", () =>
  withPhones(always("pushLost"), async ({ simulator }) => {
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    await adb.push("SIM0001", new Uint8Array(3), "/sdcard/a.jpg", { timeoutMs: 5_000 });
    assert.equal(await adb.stat("SIM0001", "/sdcard/a.jpg", { timeoutMs: 5_000 }), null);
  }));

Deno.test("shareAsks: a question about the receiver comes before the picture", () =>
  withPhones(always("shareAsks"), async ({ shell, dump, simulator }) => {
    simulator.phones[0]!.files.write("/sdcard/a.jpg", new Uint8Array(1), 0o644, 0);
    await shell(
      "input keyevent 224; wm dismiss-keyguard; am start -a android.intent.action.SEND -p com.whatsapp " +
        `--eu android.intent.extra.STREAM file:///sdcard/a.jpg --es jid ${NUMBER}@s.whatsapp.net`,
    );
    assert.match(textsOf(await dump(), "android:id/message")[0]!, /^Send to .*972 50-123-4567.*\?$/);
  }));

Deno.test("dialogHidesChat: the tree contains only the dialog", () =>
  withPhones(always("dialogHidesChat"), async ({ openChat, dump }) => {
    await openChat(NUMBER, "hello");
    const xml = await dump();
    assert.deepEqual([textsOf(xml, ENTRY), textsOf(xml, "android:id/message").length], [[], 1]);
  }));

Deno.test("dialogSticks: back and buttons do not close it, stopping the app does, and it is no logout", () => {
  const lies: LieRates = { dialogSticks: 1 };
  return withPhones({ traits, lies }, async ({ openChat, shell, tap, simulator }) => {
    const phone = simulator.phones[0]!;
    await openChat(NUMBER, "hello");
    assert.match(await shell("dumpsys window"), /registration\.SmsDefaultAppWarning/);
    await shell("input keyevent 4");
    await tap("android:id/button1");
    assert.equal(phone.dialog?.kind, "smsDefault");
    await shell("am force-stop com.whatsapp");
    assert.equal(phone.dialog, null);
  });
});

Deno.test("dialogLeft: a dialog about another number lies over this number's chat", () =>
  withPhones(always("dialogLeft"), async ({ openChat, dump }) => {
    await openChat(NUMBER, "hello");
    assert.match(textsOf(await dump(), "android:id/message")[0]!, /50-123-4568/);
  }));

Deno.test("tapIgnored: a tap exits 0 and hits nothing", () => {
  const lies: LieRates = {};
  return withPhones({ traits, lies }, async ({ openChat, tap, taps }) => {
    await openChat(NUMBER, "hello");
    lies.tapIgnored = 1;
    assert.equal(await tap(SEND), true);
    assert.equal(taps().length, 0);
  });
});

Deno.test("tickPending: an old message is still pending", async () => {
  let now = 1_800_000_000_000;
  await withPhones({ ...always("tickPending"), now: () => now }, async ({ openChat, tap, dump }) => {
    await openChat(NUMBER, "hello");
    await tap(SEND);
    now += 3_600_000;
    await openChat(NUMBER, null);
    assert.deepEqual(descriptionsOf(await dump(), "com.whatsapp:id/status"), ["Pending"]);
  });
});

Deno.test("reboots: the phone reboots before or after the command, and the answer is lost", () =>
  withPhones({ ...always("reboots"), speed: 1_000 }, async ({ shell, simulator }) => {
    const phone = simulator.phones[0]!;
    const { bootId } = phone;
    await assert.rejects(shell("true"));
    assert.notEqual(phone.bootId, bootId);
    assert.ok(phone.uptimeMs < 60_000);
  }));

Deno.test("pinLock: only the PIN unlocks the phone, and a person does so soon", async () => {
  let now = 1_800_000_000_000;
  const lies: LieRates = { pinLock: 1 };
  await withPhones({ traits, lies, speed: 100, now: () => now }, async ({ openChat, shell, dump }) => {
    await openChat(NUMBER, "hello");
    await shell("input keyevent 224; wm dismiss-keyguard");
    assert.match((await dump())!, /keyguard_message_area/);
    now += 1_000;
    await shell("input keyevent 224; wm dismiss-keyguard");
    assert.deepEqual(textsOf(await dump(), ENTRY), ["hello"]);
  });
});

Deno.test("newDialog: a dialog of a new version lies over the chat", () =>
  withPhones(always("newDialog"), async ({ openChat, dump }) => {
    await openChat(NUMBER, "hello");
    assert.match(textsOf(await dump(), "android:id/message")[0]!, /sort chats into folders/);
  }));

Deno.test("otherLanguage: ids stay, words are in a language unknown to the agent", () =>
  withPhones(always("otherLanguage"), async ({ openChat, dump }) => {
    await openChat("972501230000", "hello");
    assert.match(textsOf(await dump(), "android:id/message")[0]!, /n'utilise pas WhatsApp/);
  }));

Deno.test("banned, restricted, loggedOut: the account is lost from the moment of the lie", async () => {
  for (const lie of ["banned", "restricted", "loggedOut"] as const) {
    await withPhones(always(lie), async ({ openChat, simulator }) => {
      await openChat(NUMBER, "hello");
      assert.equal(simulator.phones[0]!.findAccount("com.whatsapp/0")?.state, lie);
    });
  }
});

Deno.test("every lie has its own rate, set while the phones run, and reports when it is used", async () => {
  const noted: string[] = [];
  const onLie = (serial: string, lie: LieName) => noted.push(`${serial} ${lie}`);
  await withPhones({ devices: 2, traits, onLie }, async ({ simulator, shell }) => {
    const control = async (request: string) => {
      using conn = await Deno.connect({ hostname: "127.0.0.1", port: simulator.port });
      await conn.write(encodeHexFrame(`host:simulate:${request}`));
      const answer = new Uint8Array(4);
      await conn.read(answer);
      return new TextDecoder().decode(answer);
    };
    assert.equal(await control("*:lies:focusNull=1,dumpFails=0.5"), "OKAY");
    assert.match(await shell("dumpsys window"), /mCurrentFocus=null/);
    assert.deepEqual(noted, ["SIM0001 focusNull"]);
    assert.equal(await control("*:lies:focusNull=0"), "OKAY");
    assert.doesNotMatch(await shell("dumpsys window"), /mCurrentFocus=null/);
    for (const wrong of ["none=1", "focusNull", "focusNull=2", "focusNull=-1", "focusNull="]) {
      assert.equal(await control(`*:lies:${wrong}`), "FAIL", wrong);
    }
  });
});

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

Deno.test("dialogBeforeTap: a dialog that opens after the last look takes the tap, and the draft stays", () => {
  const lies: LieRates = { dialogBeforeTap: 1 };
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

Deno.test("numberNotOnApp: it concerns the same numbers every time", () => {
  const fates = (seed: string) => {
    const liar = createLiar({ faults: 1, lies: { numberNotOnApp: 0.5 } }, seed, "SIM0001");
    return Array.from({ length: 40 }, (_, i) => liar.liesAbout("numberNotOnApp", `9725012345${i}`));
  };
  assert.deepEqual(fates("a"), fates("a"));
  assert.ok(fates("a").includes(true) && fates("a").includes(false));
});
