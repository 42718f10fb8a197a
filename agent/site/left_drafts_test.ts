/** A draft of ours that a delivery left in a chat: cleared before any other work, and nothing else is touched. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { AdbDisconnectedError } from "../adb/adb_error.ts";
import { addScreenFile } from "../screens/keep_file.ts";
import { MOVED_IDS } from "../testing/moved_ids.ts";
import { numbers, startTestSite, type TestSiteOptions } from "../testing/site.ts";

const TEXT = "שלום";
const [NUMBER] = numbers(1) as [string];
/** Two minutes. */
const MOST_WAITS = 240;

/** Starts a site. `atDraft` is called once, when the first text has been typed into a chat of a phone. */
async function start(
  atDraft: (site: TestSite, phone: TestSite["simulator"]["phones"][number]) => void,
  options: TestSiteOptions & { onCommand?(site: TestSite, command: string, serial: string): void } = {},
) {
  const events: { event: string; fields: Record<string, unknown> }[] = [];
  const commands: string[] = [];
  const { onCommand } = options;
  let isTyped = false;
  const site: TestSite = await startTestSite({
    ...options,
    phones: { devices: 2, traits: () => ({ language: "he", confirmsShare: false }), ...options.phones },
    log: (_level, event, fields = {}) => void events.push({ event, fields }),
    adb: (adb) => ({
      ...adb,
      shell(serial, command, given) {
        commands.push(command);
        onCommand?.(site, command, serial);
        return adb.shell(serial, command, given);
      },
    }),
  });
  for (const phone of site.simulator.phones) {
    const open = phone.openChat.bind(phone);
    phone.openChat = (account, number, text) => {
      open(account, number, text);
      if (isTyped || text === "") return;
      isTyped = true;
      atDraft(site, phone);
    };
  }
  const until = async (test: () => boolean, what: string) => {
    for (let waits = 0; !test(); waits++) {
      assert.ok(waits < MOST_WAITS, `${what} did not come`);
      await site.clock.sleep(500);
    }
  };
  return {
    site,
    events,
    commands,
    until,
    drafts: () =>
      site.simulator.phones.flatMap(({ accounts }) => accounts.flatMap(({ drafts }) => [...drafts.values()])),
    /** Notices beside the phones' states in the last inventory. */
    details: () => {
      const inventory = site.edge.received.findLast((frame) => frame.type === "inventory");
      return inventory?.devices.map(({ stateDetail }) => stateDetail) ?? [];
    },
    untilEvent: (name: string) => until(() => events.some(({ event }) => event === name), name),
  };
}

type TestSite = Awaited<ReturnType<typeof startTestSite>>;

function mostTapsOfOne(site: TestSite): number {
  const counts = new Map<string, number>();
  for (const { phone } of site.taps()) counts.set(phone, (counts.get(phone) ?? 0) + 1);
  return Math.max(...counts.values());
}

Deno.test("a draft behind an unknown screen stays untouched, is named, and goes before any work once the screen is known", async () => {
  const { site, commands, until, untilEvent, drafts, details } = await start((site) => {
    for (const phone of site.simulator.phones) phone.updateApps("2.26.1.5");
  });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, numbers(4));
  await untilEvent("unknown_screen");
  await site.clock.sleep(120_000);
  assert.ok(drafts().length > 0);
  assert.deepEqual(commands.filter((command) => /input (tap|keyevent (?!224))|force-stop/.test(command)), []);
  assert.ok(details().some((detail) => detail?.startsWith("draft_left")), JSON.stringify(details()));

  await addScreenFile(site.agentDir, MOVED_IDS, () => Promise.resolve([]));
  await site.edge.until(() => site.edge.states().sent === 4);
  await until(() => drafts().length === 0, "the last draft's end");
  await until(() => details().every((detail) => detail === null), "the notice's end");
  assert.equal(mostTapsOfOne(site), 1);
});

Deno.test("a phone that is unplugged with a draft in its chat clears it when it is back, and the message went once", async () => {
  const { site, until, drafts, details } = await start((_site, phone) => phone.unplug());
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.deepEqual(drafts(), [TEXT]);
  await until(() => details().some((detail) => detail?.startsWith("draft_left") === true), "the notice");
  for (const phone of site.simulator.phones) phone.replug();
  await until(() => drafts().length === 0, "the draft's end");
  assert.equal(site.taps().length, 1);
});

Deno.test("work that is taken back after its draft was typed leaves no draft", async () => {
  const { site, until, drafts } = await start((site) => site.edge.recall([NUMBER]), {
    edge: { queuesAgain: false },
  });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1 || site.edge.states().sent === 1);
  await until(() => drafts().length === 0, "the draft's end");
  assert.equal(site.taps().length, site.edge.states().sent ?? 0);
});

Deno.test("a draft that a person has changed is theirs: it stays, and is no longer asked about", async () => {
  const changed = `${TEXT}, נדבר מחר`;
  const { site, until, events, drafts } = await start((_site, phone) => {
    phone.accounts[0]!.drafts.set(NUMBER.slice(1), changed);
    phone.unplug();
  }, { edge: { queuesAgain: false } });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1);
  for (const phone of site.simulator.phones) phone.replug();
  await until(() => events.some(({ event }) => event === "draft_gone"), "the look");
  assert.deepEqual(drafts(), [changed]);
  assert.deepEqual(site.taps(), []);
});

Deno.test("a draft is cleared by the next agent, before its first delivery", async () => {
  const { site, until, drafts, commands, events } = await start((site) => void site.stop(), {
    phones: { devices: 1 },
  });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await until(() => drafts().length === 1, "the draft");
  await site.stop();
  assert.deepEqual(drafts(), [TEXT]);
  commands.length = 0;
  site.start();
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.equal(site.taps().length, 1);
  assert.deepEqual(drafts(), []);
  const cleared = events.findIndex(({ event }) => event === "draft_gone");
  const delivered = events.findLastIndex(({ event, fields }) =>
    event === "delivery" && fields.result === "sent"
  );
  assert.ok(cleared >= 0 && cleared < delivered);
});

Deno.test("a draft whose deletion ended halfway is still ours after the phone was away", async () => {
  const long = "מבצע לחברי המועדון: חמישים אחוז הנחה על הכל רק היום";
  let cuts = 0;
  const { site, until, drafts } = await start((_site, phone) => phone.unplug(), {
    edge: { queuesAgain: false },
    onCommand(site, command, serial) {
      if (!command.includes("keyevent 67 112") || cuts++ > 0) return;
      // The keys took what was around the cursor.
      const phone = site.simulator.phones.find((each) => each.serial === serial)!;
      phone.accounts[0]!.drafts.set(NUMBER.slice(1), long.slice(0, 9) + long.slice(-12));
      phone.unplug();
      throw new AdbDisconnectedError("device went away");
    },
  });
  await using _ = site;
  site.edge.queue(1, { text: long }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1);
  for (const phone of site.simulator.phones) phone.replug();
  await until(() => cuts === 1, "the first key");
  for (const phone of site.simulator.phones) phone.replug();
  await until(() => drafts().length === 0, "the rest's end");
  assert.deepEqual(site.taps(), []);
});

for (const where of ["in front", "behind the launcher", "behind a dark screen"] as const) {
  Deno.test(`a picture of ours that was left ${where} is closed before it counts as gone`, async () => {
    const bytes = new Uint8Array([255, 216, 255, 1, 2, 3]);
    const image = createHash("sha256").update(bytes).digest("hex");
    const { site, untilEvent } = await start(() => {}, {
      edge: { images: new Map([[image, bytes]]), queuesAgain: false },
    });
    await using _ = site;
    const closed: string[] = [];
    let opened = 0;
    for (const phone of site.simulator.phones) {
      const [open, back, stop] = [phone.openPicture, phone.back, phone.forceStop].map((act) =>
        act.bind(phone)
      ) as [
        typeof phone.openPicture,
        typeof phone.back,
        typeof phone.forceStop,
      ];
      phone.openPicture = (...picture) => {
        open(...picture);
        if (opened++ > 0) return;
        phone.unplug();
        if (where === "behind the launcher") phone.home();
        if (where === "behind a dark screen") phone.isAwake = !(phone.isLocked = true);
      };
      phone.back = () => {
        if (phone.screen.kind === "picture") closed.push("back");
        back();
      };
      phone.forceStop = (app) => {
        closed.push("end of the app");
        stop(app);
      };
    }
    site.edge.queue(1, { text: "מבצע לתמונה", image }, [NUMBER]);
    await site.edge.until(() => site.edge.states().void === 1);
    for (const phone of site.simulator.phones) phone.replug();
    await untilEvent("draft_gone");
    assert.deepEqual(closed, [where === "behind the launcher" ? "end of the app" : "back"]);
    assert.deepEqual(site.taps(), []);
  });
}

Deno.test("a draft without the blanks at its end is still ours", async () => {
  const { site, until, untilEvent, drafts } = await start((_site, phone) => {
    phone.accounts[0]!.drafts.set(NUMBER.slice(1), TEXT);
    phone.unplug();
  }, { edge: { queuesAgain: false } });
  await using _ = site;
  site.edge.queue(1, { text: ` ${TEXT}\n ` }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1);
  for (const phone of site.simulator.phones) phone.replug();
  await untilEvent("draft_gone");
  await until(() => drafts().length === 0, "the draft's end");
});

Deno.test("a chat with a name proves nothing about a draft, unless ours was deleted there", async () => {
  for (const isThere of [false, true]) {
    const lies: { nameTitle?: number } = {};
    const { site, events, drafts, until } = await start((_site, phone) => {
      if (!isThere) phone.accounts[0]!.drafts.clear();
      lies.nameTitle = 1;
      phone.unplug();
    }, { edge: { queuesAgain: false }, phones: { lies } });
    await using _ = site;
    site.edge.queue(1, { text: TEXT }, [NUMBER]);
    await site.edge.until(() => site.edge.states().void === 1);
    for (const phone of site.simulator.phones) phone.replug();
    await until(() => events.some(({ event }) => /^draft_(gone|left)$/.test(event)), "the look");
    assert.equal(events.some(({ event }) => event === "draft_gone"), isThere);
    assert.deepEqual(drafts(), []);
  }
});

Deno.test("a phone that a person stopped is left alone, and its draft goes once it is started again", async () => {
  const { site, until, drafts, commands, details } = await start((_site, phone) => phone.unplug(), {
    edge: { queuesAgain: false },
  });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1);
  const device = site.simulator.phones.find(({ accounts }) => accounts[0]!.drafts.size > 0)!.serial;
  site.edge.send({ type: "command", id: 1, kind: "stop", device });
  await site.clock.sleep(5_000);
  commands.length = 0;
  for (const phone of site.simulator.phones) phone.replug();
  await site.clock.sleep(90_000);
  assert.deepEqual(
    commands.filter((command) => /action\.VIEW|input (tap|keyevent)|force-stop/.test(command)),
    [],
  );
  assert.ok(details().some((detail) => detail?.startsWith("draft_left")));
  site.edge.send({ type: "command", id: 2, kind: "start", device });
  await until(() => drafts().length === 0, "the draft's end");
});

Deno.test("numbers whose chat never opens take a small part of a phone's time, however many they are", async () => {
  const [bad, good] = [numbers(9).slice(0, 6), numbers(9).slice(6)];
  const { site } = await start(() => {}, {
    edge: { queuesAgain: false, settings: { rateLimit: 10 } },
    phones: { devices: 1, speed: 1 },
  });
  await using _ = site;
  let opened = 0;
  const [phone] = site.simulator.phones;
  const open = phone!.openChat.bind(phone);
  phone!.openChat = (account, number, text) => {
    if (bad.includes(`+${number}`)) opened++;
    else open(account, number, text);
  };
  site.edge.queue(1, { text: TEXT }, [...bad, ...good]);
  for (let waits = 0; site.edge.states().sent !== good.length; waits++) {
    assert.ok(waits < 100, JSON.stringify(site.edge.states()));
    await site.clock.sleep(10_000);
  }
  // Three openings for each delivery, and for each of the first three tries to clear; then a tenth of the time.
  assert.ok(opened <= 3 * bad.length + 3 * 3 + 6, String(opened));
});

for (const lie of ["wrongChat", "otherAccount"] as const) {
  Deno.test(`words that the phone put into another chat are taken out there (${lie})`, async () => {
    const lies: { wrongChat?: number; otherAccount?: number } = { [lie]: 1 };
    const accounts = [0, 10].map((user) => ({ app: "com.whatsapp" as const, user, firstInstalledAt: 0 }));
    const { site, until, untilEvent, drafts } = await start(() => void (lies[lie] = 0), {
      phones: { lies, traits: () => ({ language: "he", confirmsShare: false, accounts }) },
    });
    await using _ = site;
    site.edge.queue(1, { text: TEXT }, [NUMBER]);
    await untilEvent("draft_gone");
    await until(() => drafts().length === 0, "the stray draft's end");
    await site.edge.until(() => site.edge.states().sent === 1);
    assert.deepEqual(site.taps().map(({ phone }) => phone), [NUMBER]);
  });
}

Deno.test("a picture to a number whose chat does not open leaves nothing to clear", async () => {
  const bytes = new Uint8Array([255, 216, 255, 1, 2, 3]);
  const image = createHash("sha256").update(bytes).digest("hex");
  const { site, events } = await start(() => {}, {
    edge: { images: new Map([[image, bytes]]), queuesAgain: false },
  });
  await using _ = site;
  for (const phone of site.simulator.phones) phone.openChat = () => {};
  site.edge.queue(1, { text: TEXT, image }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1);
  await site.clock.sleep(10_000);
  assert.deepEqual(events.filter(({ event }) => event.startsWith("draft_")), []);
});
