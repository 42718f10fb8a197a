import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type AgentFrame, type EdgeFrame, MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import { AdbTimeoutError } from "../adb/adb_error.ts";
import { Journal } from "../journal/journal.ts";
import { numbers, startTestSite } from "../testing/site.ts";
import { steadyClock } from "../testing/steady_clock.ts";

const TEXT = "שלום 'עולם'\nשורה שנייה & 🙂 *מודגש* 100% $HOME `ls` \"x\"";

Deno.test("runWorker() sends every delivery once, and reports each", async () => {
  await using site = await startTestSite();
  const phones = numbers(12);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.deepEqual(site.taps().map(({ phone }) => phone).sort(), phones);
  assert.ok(site.taps().every(({ text }) => text === TEXT));
});

Deno.test("runWorker() sends each recipient its own text, and shows the edge that it can", async () => {
  await using site = await startTestSite();
  const phones = numbers(12);
  const textFor = (phone: string) => `${TEXT} ${phone.slice(-2)}`;
  site.edge.queue(1, { text: textFor }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  const taps = site.taps().map(({ phone, text }) => [phone, text]).sort();
  assert.deepEqual(taps, phones.map((phone) => [phone, textFor(phone)]));
  const hello = site.edge.received.find((frame) => frame.type === "hello");
  assert.ok(hello?.features?.includes("item_text"));
});

Deno.test("runWorker() sends a picture and its caption as one message", async () => {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]);
  const image = createHash("sha256").update(bytes).digest("hex");
  await using site = await startTestSite({ edge: { images: new Map([[image, bytes]]) } });
  const phones = numbers(6);
  site.edge.queue(1, { text: TEXT, image }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.deepEqual(site.taps().map(({ phone }) => phone).sort(), phones);
  assert.ok(site.taps().every((tap) => tap.text === TEXT && tap.image === image));
});

Deno.test("runWorker() fetches its pictures after the machine's clock is corrected during a connection", async () => {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]);
  const image = createHash("sha256").update(bytes).digest("hex");
  using clock = steadyClock();
  // A machine without a battery for its clock starts in the past, and gets the right time minutes later.
  let behindMs = 3 * 86_400_000;
  await using site = await startTestSite({
    clock: { ...clock, now: () => clock.now() - behindMs },
    edge: { now: clock.now, images: new Map([[image, bytes]]), queuesAgain: false },
    phones: { now: clock.now },
  });
  const heartbeats = () => site.edge.received.filter(({ type }) => type === "heartbeat").length;
  await site.edge.untilReceived("heartbeat");
  behindMs = 0;
  const before = heartbeats();
  await site.edge.until(() => heartbeats() > before);
  const [delivery] = site.edge.queue(1, { text: TEXT, image }, numbers(1));
  await site.edge.until(() => delivery!.reports.length > 0);
  assert.deepEqual([delivery!.state, delivery!.reports[0]!.reason], ["sent", null]);
});

Deno.test("runWorker() blames a phone lost during a picture on the phone, not on the picture", async () => {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]);
  const image = createHash("sha256").update(bytes).digest("hex");
  await using site = await startTestSite({
    edge: { images: new Map([[image, bytes]]), queuesAgain: false },
    adb: (adb) => ({ ...adb, push: () => Promise.reject(new AdbTimeoutError("Nothing came back")) }),
  });
  const [delivery] = site.edge.queue(1, { text: TEXT, image }, numbers(1));
  await site.edge.until(() => delivery!.reports.length > 0);
  assert.deepEqual([delivery!.state, delivery!.reports[0]!.reason], ["void", "device_offline"]);
});

Deno.test("runWorker() fails a number that is not on the app, and taps nothing for it", async () => {
  await using site = await startTestSite();
  const [known = ""] = numbers(1);
  const missing = "+972501230000";
  site.edge.queue(1, { text: TEXT }, [missing, known]);
  await site.edge.until(() => site.edge.states().sent === 1 && site.edge.states().failed === 1);
  assert.equal(site.edge.deliveries.get(missing)?.reports.at(-1)?.reason, "not_on_app");
  assert.deepEqual(site.taps().map(({ phone }) => phone), [known]);
});

Deno.test("runWorker() works with the first 500 phones of a larger site, and logs it", async () => {
  const logged: string[] = [];
  await using site = await startTestSite({
    phones: { devices: MAX_SITE_DEVICES + 1 },
    log: (level, event) => void (level === "warn" && logged.push(event)),
  });
  const { phones } = site.simulator;
  // A phone without permission gets no commands. Two phones are enough to work.
  for (const phone of phones.slice(1, -1)) phone.availability = "unauthorized";
  await site.edge.until(() => logged.includes("too_many_phones") && isReported("SIM0001"));
  assert.equal(inventory()?.length, MAX_SITE_DEVICES);
  assert.equal(isReported("SIM0501"), false);
  const campaign = numbers(6);
  site.edge.queue(1, { text: TEXT }, campaign);
  await site.edge.until(() => site.edge.states().sent === campaign.length);
  assert.deepEqual([...new Set(site.taps().map(({ serial }) => serial))], ["SIM0001"]);
  assert.deepEqual(logged.filter((event) => event === "too_many_phones"), ["too_many_phones"]);
  phones[0]!.unplug();
  await site.edge.until(() => isReported("SIM0501"));
  assert.equal(isReported("SIM0001"), false, "the edge still shows it as offline");
  const [last = ""] = numbers(7).slice(-1);
  site.edge.queue(2, { text: TEXT }, [last]);
  await site.edge.until(() => site.edge.deliveries.get(last)?.state === "sent");
  assert.equal(site.taps().at(-1)?.serial, "SIM0501");

  function inventory() {
    return site.edge.received.findLast((frame) => frame.type === "inventory")?.devices;
  }

  function isReported(device: string): boolean {
    return inventory()?.some((one) => one.device === device) ?? false;
  }
});

Deno.test("runWorker() returns everything of a banned account and reports the ban", async () => {
  await using site = await startTestSite({ phones: { devices: 1 } });
  site.simulator.phones[0]!.setAccountState("com.whatsapp/0", "banned");
  const phones = numbers(2);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() =>
    phones.every((phone) => (site.edge.deliveries.get(phone)?.reports.length ?? 0) > 0) &&
    site.edge.received.some((frame) => frame.type === "inventory" && frame.accounts[0]?.state === "banned")
  );
  for (const phone of phones) {
    const [report] = site.edge.deliveries.get(phone)!.reports;
    assert.deepEqual([report?.outcome, report?.reason, report?.temporary], ["void", "account_banned", false]);
  }
  assert.deepEqual(site.taps(), []);
});

Deno.test("runWorker() sends each number at most once while phones lie in every way", async () => {
  await using site = await startTestSite({
    phones: {
      devices: 8,
      faults: 1,
      speed: 200,
      hangMs: { min: 250, max: 5_000 },
      lies: { numberNotOnApp: 0 },
    },
  });
  const phones = numbers(150);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => {
    const { sent = 0, unknown = 0, failed = 0 } = site.edge.states();
    return sent + unknown + failed === phones.length;
  });
  const tapped = site.taps().map(({ phone }) => phone);
  assert.equal(new Set(tapped).size, tapped.length, "no number was tapped twice");
  for (const { phone, state } of site.edge.deliveries.values()) {
    if (state === "sent") assert.ok(tapped.includes(phone), "what is reported sent was sent");
    if (state === "failed") assert.ok(!tapped.includes(phone), "what is reported failed was not");
  }
  assert.ok(site.taps().every(({ text }) => text === TEXT), "every tap sent exactly the text");
});

Deno.test("runWorker() keeps a device's pace in the phones' own log", async () => {
  await using site = await startTestSite({
    edge: { settings: { rateLimit: 3 } },
    phones: { devices: 1 },
  });
  site.edge.queue(1, { text: TEXT }, numbers(4));
  await site.edge.until(() => site.edge.states().sent === 4);
  const at = site.taps().map((tap) => Date.parse(tap.at));
  for (let i = 1; i < at.length; i++) assert.ok(at[i]! - at[i - 1]! >= 3_000 - 1);
});

Deno.test("runWorker() keeps the pace, and no faster, with a phone that is slow to open a chat", async () => {
  await using site = await startTestSite({
    edge: { settings: { rateLimit: 10 } },
    // A chat takes 3.5 s to open and to be read.
    phones: { devices: 1, speed: 1 },
  });
  site.edge.queue(1, { text: TEXT }, numbers(4));
  await site.edge.until(() => site.edge.states().sent === 4);
  const at = site.taps().map((tap) => Date.parse(tap.at));
  const gaps = at.slice(1).map((tap, index) => tap - at[index]!);
  assert.ok(gaps.every((ms) => ms >= 10_000 - 1), `${gaps}`);
  // No earlier message shows that the phone is slow for the first of them. 13.5 s is the pace plus the opening.
  assert.ok(gaps.slice(1).every((ms) => ms < 13_000), `${gaps}`);
});

Deno.test("runWorker() does not count the wait for an own minute as time to open a chat", async () => {
  const opened: number[] = [];
  await using site = await startTestSite({
    edge: { settings: { rateLimit: 10 } },
    phones: { devices: 1 },
    adb: (adb) => ({
      ...adb,
      shell(serial, command, options) {
        if (command.includes("am start")) opened.push(site.clock.now());
        return adb.shell(serial, command, options);
      },
    }),
  });
  const [twice = "", after = ""] = numbers(2);
  for (const [index, phone] of [twice, twice, after].entries()) {
    const [delivery] = site.edge.queue(index + 1, { text: TEXT }, [phone]);
    await site.edge.until(() => delivery!.state === "sent");
  }
  const tappedAt = Date.parse(site.taps().at(-1)!.at);
  assert.ok(
    tappedAt - opened.at(-1)! < 3_000,
    "its draft stands open no longer than any other of a quick phone",
  );
});

Deno.test("runWorker() taps confirmed deliveries offline, and reports them when the edge is back", async () => {
  await using site = await startTestSite({ phones: { devices: 1 }, edge: { settings: { rateLimit: 1 } } });
  const phones = numbers(2);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => [...site.edge.deliveries.values()].every(({ isAcked }) => isAcked));
  await site.edge.leave();
  while (site.taps().length < phones.length) await site.clock.sleep(20);
  site.edge = site.edge.comeBack();
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.equal(site.taps().length, phones.length);
});

Deno.test("runWorker(): an outcome × connected, the edge's database has all outcomes → reported, again until acknowledged", async () => {
  const lost = new Set<EdgeFrame["type"]>(["reportAck"]);
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: (frame) => !lost.has(frame.type) },
  });
  const [phone = ""] = numbers(1);
  const { reports } = site.edge.queue(1, { text: TEXT }, [phone])[0]!;
  await Promise.race([site.edge.until(() => reports.length === 2), site.clock.sleep(120_000)]);
  assert.deepEqual([reports.length, hellos()], [2, 1], "again, and on the same connection");
  lost.add("helloAck");
  site.edge.cut();
  await site.edge.until(() => hellos() === 2);
  const countBefore = reports.length;
  // Long enough for one round of any loop.
  await site.clock.sleep(10_000);
  assert.equal(reports.length, countBefore, "nothing before the hello is answered");
  lost.clear();
  site.edge.cut();
  await site.edge.until(() => reports.length === countBefore + 1);
  await site.stop();
  assert.equal(reports.length, countBefore + 1, "and not after it was acknowledged");
  assert.equal(site.taps().length, 1);

  function hellos(): number {
    return site.edge.received.filter(({ type }) => type === "hello").length;
  }
});

Deno.test("runWorker() sends nothing before welcome, and then hello (rule 1)", async () => {
  const opened = Promise.withResolvers<void>();
  let isMute = true;
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: () => (opened.resolve(), !isMute) },
  });
  await opened.promise;
  isMute = false;
  site.edge.cut();
  await site.edge.untilReceived("inventory");
  const [first] = site.edge.received;
  assert.deepEqual([first?.type, first?.type === "hello" && first.epoch], ["hello", 2]);
});

Deno.test("runWorker() sends its journal's counter with every leaseAck, report and heartbeat (rule 14)", async () => {
  await using site = await startTestSite({ phones: { devices: 1 } });
  const phones = numbers(3);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  const before = site.edge.received.length;
  const beats = () => site.edge.received.slice(before).filter(({ type }) => type === "heartbeat").length;
  // The first may have been on its way when the last reportAck came, which the journal counts too.
  await site.edge.until(() => beats() === 2);
  await site.stop();
  const counters = site.edge.received.flatMap((frame) =>
    "journalCounter" in frame ? [frame.journalCounter] : []
  );
  assert.deepEqual(counters, counters.toSorted((a, b) => a - b), "it only grows");
  assert.ok(counters.at(-1)! > counters[0]!);
  const journal = new Journal(site.journalPath, { now: () => Date.now(), newId: () => "1".repeat(32) });
  assert.equal(journal.counterAtOpen, counters.at(-1));
  journal.close();
});

Deno.test("runWorker() returns the mark of a heartbeatAck or of an erase with its next hello (rule 19)", async () => {
  await using site = await startTestSite();
  const marks = () =>
    site.edge.received.flatMap((frame) => frame.type === "hello" ? [frame.mark?.event] : []);
  const mark = (event: number) => ({ generation: "first", event, hmac: "0".repeat(64) });
  site.edge.mark = mark(4);
  const heartbeats = () => site.edge.received.filter(({ type }) => type === "heartbeat").length;
  await site.edge.until(() => heartbeats() >= 2);
  site.edge.cut();
  await site.edge.until(() => marks().length === 2);
  assert.deepEqual(marks(), [undefined, 4]);
  await site.edge.untilReceived("inventory");
  const items = [{ id: 1, key: "0".repeat(64), hash: "1".repeat(64) }];
  site.edge.send({ type: "erase", items, mark: mark(6) });
  await site.edge.untilReceived("erased");
  site.edge.cut();
  await site.edge.until(() => marks().length === 3);
  assert.equal(marks().at(-1), 6);
});

Deno.test("runWorker() counts the writing of its lease with a leaseAck (rule 14)", async () => {
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: ({ type }) => type !== "go" },
  });
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.edge.untilReceived("leaseAck");
  const from = site.edge.received.findIndex(({ type }) => type === "leaseAck");
  const countersOf = (type: AgentFrame["type"]) =>
    site.edge.received.slice(from).flatMap((frame) =>
      frame.type === type && "journalCounter" in frame ? [frame.journalCounter] : []
    );
  await site.edge.until(() => countersOf("heartbeat").length > 0);
  assert.equal(
    countersOf("leaseAck")[0],
    countersOf("heartbeat")[0],
    "without a go nothing is written after it",
  );
});

Deno.test("runWorker() stops a delivery that is recalled while its chat is being prepared", async () => {
  await using site = await startTestSite({
    edge: { settings: { rateLimit: 3 }, queuesAgain: false },
    phones: { devices: 1 },
  });
  const [first = "", second = ""] = numbers(2);
  site.edge.queue(1, { text: TEXT }, [first, second]);
  const { drafts } = site.simulator.phones[0]!.accounts[0]!;
  while (!drafts.has(second.slice(1))) await site.clock.sleep(20);
  site.edge.recall([second]);
  await site.edge.until(() => site.edge.states().void === 1 && site.edge.states().sent === 1);
  assert.equal(site.edge.deliveries.get(second)!.reports[0]?.reason, "recalled");
  assert.deepEqual(site.taps().map(({ phone }) => phone), [first]);
});

for (const end of ["recall", "drain"] as const) {
  Deno.test(`runWorker() completes a tap that runs at a ${end}, and reports its outcome`, async () => {
    await using site = await startTestSite({
      phones: { devices: 1, lies: { tapHangs: 1 }, hangMs: { min: 5_000, max: 5_000 } },
    });
    const [phone = ""] = numbers(1);
    site.edge.queue(1, { text: TEXT }, [phone]);
    const { processes } = site.simulator.phones[0]!;
    while (![...processes.values()].some((line) => line.startsWith("cmd input tap"))) {
      await site.clock.sleep(5);
    }
    assert.deepEqual(site.taps(), []);
    if (end === "recall") site.edge.recall([phone]);
    else await site.stop();
    await site.edge.until(() => site.edge.states().sent === 1);
    assert.equal(site.taps().length, 1);
  });
}

Deno.test("runWorker() soon returns a lease that arrives after its phone was lost", async () => {
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { queuesAgain: false },
  });
  await site.edge.until(() => inventory()?.devices[0]?.state === "online");
  site.simulator.phones[0]!.unplug();
  await site.edge.until(() => inventory()?.devices[0]?.state === "offline");
  const [phone = ""] = numbers(1);
  const token = "a".repeat(32);
  const items = [{ phone, attempt: 1, account: "SIM0001/com.whatsapp/0" }];
  Object.assign(site.edge.queue(1, { text: TEXT }, [phone])[0]!, { state: "leased", token });
  site.edge.send({ type: "lease", token, ttlMs: 60_000, campaign: 1, text: TEXT, image: null, items });
  await site.edge.until(() => site.edge.states().void === 1);
  const [report] = site.edge.deliveries.get(phone)!.reports;
  assert.deepEqual([report?.reason, report?.temporary], ["device_offline", false]);

  function inventory() {
    return site.edge.received.findLast((frame) => frame.type === "inventory");
  }
});

Deno.test("runWorker() reports the waiting deliveries that it returns before it ends", async () => {
  await using site = await startTestSite({
    edge: { settings: { rateLimit: 60 }, queuesAgain: false },
    phones: { devices: 1 },
  });
  const phones = numbers(3);
  const waiting = site.edge.queue(1, { text: TEXT }, phones).slice(1);
  await site.edge.until(() => site.edge.states().sent === 1 && waiting.every(({ isAcked }) => isAcked));
  await site.stop();
  const givenBack = waiting.map(({ reports }) =>
    reports.map(({ outcome, reason }) => `${outcome} ${reason}`)
  );
  assert.deepEqual(givenBack, [["void draining"], ["void draining"]]);
});

Deno.test("runWorker() drains: what is not tapped goes back, and the next start sends it once", async () => {
  await using site = await startTestSite({ edge: { settings: { rateLimit: 1 } } });
  const phones = numbers(5);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => (site.edge.states().sent ?? 0) > 0);
  await site.stop();
  assert.ok(site.edge.received.some(({ type }) => type === "drain"));
  // A lease that crossed the drain was never acknowledged: the edge takes it back by itself.
  const held = [...site.edge.deliveries.values()].filter(({ state, isAcked }) =>
    state === "leased" && isAcked
  );
  assert.deepEqual(held, [], "everything confirmed was reported before the end");
  site.start();
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.deepEqual(site.taps().map(({ phone }) => phone).sort(), phones);
});

Deno.test("runWorker() does not look back for ever when the app was removed from the phone", async () => {
  using clock = steadyClock();
  await using site = await startTestSite({
    clock,
    phones: { devices: 1, lies: { tapIgnored: 1 } },
    edge: { queuesAgain: false },
    log(_level, event, { result } = {}) {
      if (event !== "delivery" || result !== "doubt") return;
      site.simulator.phones[0]!.uninstall("com.whatsapp/0");
      clock.stepMs = 50;
    },
  });
  const [phone = ""] = numbers(1);
  site.edge.queue(1, { text: TEXT }, [phone]);
  await site.edge.until(() => site.edge.deliveries.get(phone)!.reports.length > 0);
  const [report] = site.edge.deliveries.get(phone)!.reports;
  assert.deepEqual([report?.outcome, report?.reason], ["unknown", "send_not_verified"]);
});

Deno.test("runWorker() counts a tap that did nothing as a try, so that tries are bounded", async () => {
  await using site = await startTestSite({
    phones: { devices: 1, lies: { dialogBeforeTap: 1 } },
  });
  const [phone = ""] = numbers(1);
  site.edge.queue(1, { text: TEXT }, [phone]);
  await site.edge.until(() => site.edge.deliveries.get(phone)!.reports.length > 0);
  const [report] = site.edge.deliveries.get(phone)!.reports;
  assert.deepEqual(
    [report?.outcome, report?.temporary, report?.reason],
    ["void", true, "send_not_verified"],
  );
  assert.deepEqual(site.taps(), []);
});

Deno.test("runWorker() keeps a device's pace over its own restart", async () => {
  await using site = await startTestSite({
    edge: { settings: { rateLimit: 30 } },
    phones: { devices: 1 },
  });
  const [first = "", second = ""] = numbers(2);
  site.edge.queue(1, { text: TEXT }, [first]);
  await site.edge.until(() => site.edge.states().sent === 1);
  await site.stop();
  site.start();
  site.edge.queue(2, { text: TEXT }, [second]);
  await site.edge.until(() => site.edge.states().sent === 2);
  const [before = 0, after = 0] = site.taps().map((tap) => Date.parse(tap.at));
  assert.ok(after - before >= 30_000 - 1, `${after - before}`);
});
