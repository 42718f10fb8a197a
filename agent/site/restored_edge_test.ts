import assert from "node:assert/strict";
import { MAX_REPORT_ITEMS } from "shared/lease.ts";
import { Journal } from "../journal/journal.ts";
import { numbers, startTestSite } from "../testing/site.ts";
import { steadyClock } from "../testing/steady_clock.ts";

/** Adds outcomes that an earlier edge has acknowledged. */
function fillArchive(path: string, count: number): void {
  const journal = new Journal(path, { now: () => Date.now(), newId: () => "1".repeat(32) });
  const token = "a".repeat(32);
  const rows = numbers(count).map((phone) => ({ token, phone, state: "failed" as const }));
  const items = rows.map(({ phone }) => ({ phone, attempt: 1, account: "SIM0001/com.whatsapp/0" }));
  journal.addLease({ type: "lease", token, ttlMs: 1, campaign: 1, text: "שלום", image: null, items });
  const change = { to: "failed", reason: "not_on_app", temporary: false } as const;
  journal.moveAll(rows.map((row) => ({ ...row, from: "leased", change })));
  journal.forget(rows);
  journal.close();
}

/** Adds an outcome that no edge has acknowledged. */
function addOutcome(path: string): void {
  const journal = new Journal(path, { now: () => Date.now(), newId: () => "1".repeat(32) });
  const [token, phone] = ["b".repeat(32), "+972521000001"];
  const items = [{ phone, attempt: 1, account: "SIM0001/com.whatsapp/0" }];
  journal.addLease({ type: "lease", token, ttlMs: 1, campaign: 1, text: "שלום", image: null, items });
  const change = { to: "failed", reason: "not_on_app", temporary: false } as const;
  journal.move(token, phone, "leased", change);
  journal.close();
}

/** Returns the number of outcomes in each frame. */
function outcomesOf({ edge }: Pick<Awaited<ReturnType<typeof startTestSite>>, "edge">): number[] {
  return edge.received.flatMap((frame) => frame.type === "outcomes" ? [frame.items.length] : []);
}

Deno.test("runWorker() sends a restored edge its outcomes, the next frame only after the last was acknowledged", async () => {
  let isTaking = false;
  await using site = await startTestSite({
    phones: { devices: 0 },
    edge: { lets: (frame) => isTaking || frame.type !== "outcomesAck" },
  });
  await site.stop();
  fillArchive(site.journalPath, 2 * MAX_REPORT_ITEMS + 1);
  site.edge.received.length = 0;
  site.start();
  await site.edge.untilReceived("heartbeat");
  assert.deepEqual(outcomesOf(site), [MAX_REPORT_ITEMS]);
  isTaking = true;
  site.edge.cut();
  await site.edge.until(() => outcomesOf(site).length === 4);
  assert.deepEqual(outcomesOf(site).slice(1), [MAX_REPORT_ITEMS, MAX_REPORT_ITEMS, 1]);
  site.edge.cut();
  // The inventory comes after all frames that follow a hello.
  const isThird = () => site.edge.received.filter(({ type }) => type === "hello").length === 3;
  await site.edge.until(() => isThird() && site.edge.received.at(-1)?.type === "inventory");
  assert.equal(outcomesOf(site).length, 4, "once a generation is enough");
});

Deno.test("runWorker() reports nothing before a restored edge has taken the last of its outcomes (rule 17)", async () => {
  let isTaking = false;
  await using site = await startTestSite({
    phones: { devices: 0 },
    edge: { lets: (frame) => isTaking || frame.type !== "outcomesAck" },
  });
  await site.stop();
  fillArchive(site.journalPath, MAX_REPORT_ITEMS);
  addOutcome(site.journalPath);
  site.edge.received.length = 0;
  site.start();
  // A report takes less time than two heartbeats.
  const beats = () => site.edge.received.filter(({ type }) => type === "heartbeat").length;
  await site.edge.until(() => beats() === 2);
  isTaking = true;
  site.edge.cut();
  await site.edge.untilReceived("report");
  const types = site.edge.received.map(({ type }) => type).filter((type) =>
    type === "outcomes" || type === "report"
  );
  assert.deepEqual(types.slice(0, 4), ["outcomes", "outcomes", "outcomes", "report"]);
});

Deno.test("runWorker() sends a restored edge its outcomes though this machine's clock is years ahead (rule 17)", async () => {
  using steady = steadyClock();
  let aheadMs = 0;
  const clock = { ...steady, now: () => steady.now() + aheadMs };
  await using site = await startTestSite({
    clock,
    phones: { devices: 0 },
    edge: { now: () => steady.now() },
  });
  await site.stop();
  fillArchive(site.journalPath, 1);
  aheadMs = 3 * 365 * 86_400_000;
  site.edge.generation = "second";
  site.edge.received.length = 0;
  site.start();
  await site.edge.untilReceived("outcomes");
  assert.equal(site.edge.received.find((frame) => frame.type === "outcomes")?.items.length, 1);
});

Deno.test("runWorker() sends a restored edge everything again when the connection ended before the last was taken (rule 17)", async () => {
  let taken = 0;
  await using site = await startTestSite({
    phones: { devices: 0 },
    // The acknowledgement of the second frame is lost.
    edge: { lets: (frame) => frame.type !== "outcomesAck" || taken++ !== 1 },
  });
  await site.stop();
  fillArchive(site.journalPath, MAX_REPORT_ITEMS + 1);
  // The answer of the empty journal does not count for another generation.
  site.edge.generation = "second";
  site.edge.received.length = taken = 0;
  site.start();
  await site.edge.until(() => outcomesOf(site).length === 2);
  site.edge.cut();
  const hellos = () => site.edge.received.filter(({ type }) => type === "hello").length;
  await site.edge.until(() => hellos() === 2 && site.edge.received.at(-1)?.type === "inventory");
  assert.deepEqual(outcomesOf(site).slice(2, 3), [MAX_REPORT_ITEMS], "the first of them again");
  await site.edge.until(() => outcomesOf(site).length === 4);
  assert.deepEqual(outcomesOf(site), [MAX_REPORT_ITEMS, 1, MAX_REPORT_ITEMS, 1]);
});
