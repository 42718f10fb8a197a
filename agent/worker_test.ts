import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { MAX_REPORT_ITEMS } from "shared/lease.ts";
import { Journal } from "./journal.ts";
import { numbers, startTestSite } from "./testing/site.ts";

const TEXT = "שלום 'עולם'\nשורה שנייה & 🙂 *מודגש* 100% $HOME `ls` \"x\"";

Deno.test("runWorker() sends every delivery once, and reports each", async () => {
  await using site = await startTestSite();
  const phones = numbers(12);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.deepEqual(site.taps().map(({ phone }) => phone).sort(), phones);
  assert.ok(site.taps().every(({ text }) => text === TEXT));
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

Deno.test("runWorker() fails a number that is not on the app, and taps nothing for it", async () => {
  await using site = await startTestSite();
  const [known = ""] = numbers(1);
  const missing = "+972501230000";
  site.edge.queue(1, { text: TEXT }, [missing, known]);
  await site.edge.until(() => site.edge.states().sent === 1 && site.edge.states().failed === 1);
  assert.equal(site.edge.deliveries.get(missing)?.reports.at(-1)?.reason, "not_on_app");
  assert.deepEqual(site.taps().map(({ phone }) => phone), [known]);
});

Deno.test("runWorker() gives back everything of a banned account and says so", async () => {
  await using site = await startTestSite({ phones: { devices: 1 } });
  site.simulator.phones[0]!.setAccountState("com.whatsapp/0", "banned");
  const phones = numbers(2);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() =>
    phones.every((phone) => (site.edge.deliveries.get(phone)?.reports.length ?? 0) > 0) &&
    site.edge.heard.some((frame) => frame.type === "inventory" && frame.accounts[0]?.state === "banned")
  );
  for (const phone of phones) {
    const [report] = site.edge.deliveries.get(phone)!.reports;
    assert.deepEqual([report?.outcome, report?.reason, report?.temporary], ["void", "account_banned", false]);
  }
  assert.deepEqual(site.taps(), []);
});

Deno.test("runWorker() sends each number once at most while phones lie in every way", async () => {
  await using site = await startTestSite({
    factor: 25,
    phones: { devices: 8, faults: 1, speed: 200, hangMs: { min: 10, max: 200 }, lies: { numberNotOnApp: 0 } },
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

Deno.test("runWorker() keeps the pace of a device by the phones' own log", async () => {
  await using site = await startTestSite({
    factor: 10,
    edge: { settings: { rateLimit: 3 } },
    phones: { devices: 1 },
  });
  site.edge.queue(1, { text: TEXT }, numbers(4));
  await site.edge.until(() => site.edge.states().sent === 4);
  const at = site.taps().map((tap) => Date.parse(tap.at));
  for (let i = 1; i < at.length; i++) assert.ok(at[i]! - at[i - 1]! >= 3_000 - 1);
});

Deno.test("runWorker() taps offline what was confirmed, and reports it when the edge is back", async () => {
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

Deno.test("runWorker() reports again on the next connection what was not acknowledged on this one", async () => {
  let isDeaf = true;
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: (frame) => !(isDeaf && frame.type === "reportAck") },
  });
  const [phone = ""] = numbers(1);
  site.edge.queue(1, { text: TEXT }, [phone]);
  await site.edge.untilHeard("report");
  isDeaf = false;
  site.edge.cut();
  await site.edge.until(() => site.edge.deliveries.get(phone)!.reports.length === 2);
  assert.equal(site.taps().length, 1);
});

Deno.test("runWorker() drains: what is not tapped goes back, and the next start sends it once", async () => {
  await using site = await startTestSite({ edge: { settings: { rateLimit: 1 } } });
  const phones = numbers(5);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => (site.edge.states().sent ?? 0) > 0);
  await site.stop();
  assert.ok(site.edge.heard.some(({ type }) => type === "drain"));
  // A lease that crossed the drain was never acknowledged: the edge takes it back by itself.
  const held = [...site.edge.deliveries.values()].filter(({ state, isAcked }) =>
    state === "leased" && isAcked
  );
  assert.deepEqual(held, [], "everything confirmed was reported before the end");
  site.start();
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.deepEqual(site.taps().map(({ phone }) => phone).sort(), phones);
});

Deno.test("runWorker() counts a tap that did nothing as a try, so that it does not go on for ever", async () => {
  await using site = await startTestSite({
    factor: 25,
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

Deno.test("runWorker() tells a restored edge its outcomes, the next frame only when the last was taken", async () => {
  let isTaking = false;
  await using site = await startTestSite({
    factor: 25,
    phones: { devices: 0 },
    edge: { lets: (frame) => isTaking || frame.type !== "outcomesAck" },
  });
  await site.stop();
  fillArchive(site.journalPath, 2 * MAX_REPORT_ITEMS + 1);
  site.edge.heard.length = 0;
  site.start();
  await site.edge.untilHeard("heartbeat");
  assert.deepEqual(told(), [MAX_REPORT_ITEMS]);
  isTaking = true;
  site.edge.cut();
  await site.edge.until(() => told().length === 4);
  assert.deepEqual(told().slice(1), [MAX_REPORT_ITEMS, MAX_REPORT_ITEMS, 1]);
  site.edge.cut();
  await site.edge.until(() => site.edge.heard.filter(({ type }) => type === "hello").length === 3);
  assert.equal(told().length, 4, "once a generation is enough");

  function told(): number[] {
    return site.edge.heard.flatMap((frame) => frame.type === "outcomes" ? [frame.items.length] : []);
  }
});

function fillArchive(path: string, count: number): void {
  const journal = new Journal(path, { now: () => Date.now(), newId: () => "1".repeat(32) });
  const token = "a".repeat(32);
  const rows = numbers(count).map((phone) => ({ token, phone, state: "failed" as const }));
  const items = rows.map(({ phone }) => ({ phone, attempt: 1, account: "SIM0001/com.whatsapp/0" }));
  journal.addLease({ type: "lease", token, ttlMs: 1, campaign: 1, text: TEXT, image: null, items });
  const change = { to: "failed", reason: "not_on_app", temporary: false } as const;
  journal.moveAll(rows.map((row) => ({ ...row, from: "leased", change })));
  journal.forget(rows);
  journal.close();
}
