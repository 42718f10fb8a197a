/** Tests what a site asks and takes on one connection while the next one or a report is on its way. */
import assert from "node:assert/strict";
import type { AgentFrame } from "shared/agent_protocol.ts";
import { Journal } from "../journal/journal.ts";
import { numbers, startTestSite } from "../testing/site.ts";
import { steadyClock } from "../testing/steady_clock.ts";

const TEXT = "שלום";

Deno.test("runWorker() asks for the next with its report, and takes it before it asks again (rule 18)", async () => {
  const events: string[] = [];
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: {
      lets(frame) {
        if (frame.type === "reportAck" && frame.lease) events.push(`brought ${frame.lease.token}`);
        return true;
      },
      receives(frame) {
        if (frame.type === "leaseAck") events.push(`took ${frame.token}`);
        if (frame.type === "pull") events.push("asked");
        return true;
      },
    },
  });
  const phones = numbers(8);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.deepEqual(site.taps().map(({ phone }) => phone).sort(), phones);
  const brought = [...events.entries()].filter(([, what]) => what.startsWith("brought"));
  assert.ok(brought.length > 0);
  for (const [index, what] of brought) assert.equal(events[index + 1], what.replace("brought", "took"));
});

Deno.test("runWorker() gives returned work to another phone at once, though that phone just asked in vain (rule 18)", async () => {
  let givenBackAt = Infinity;
  await using site = await startTestSite({
    edge: {
      receives(frame) {
        if (frame.type === "report") givenBackAt = Math.min(givenBackAt, site.clock.monotonic());
        return true;
      },
    },
  });
  const isBothAsked = (frame: AgentFrame) => frame.type === "pull" && frame.devices.length === 2;
  await site.edge.until(() => site.edge.received.some(isBothAsked));
  site.simulator.phones[0]!.setAccountState("com.whatsapp/0", "banned");
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.edge.until(() => delivery!.state === "sent");
  assert.deepEqual(delivery!.reports.map(({ reason }) => reason), ["account_banned", null]);
  assert.ok(site.clock.monotonic() - givenBackAt < 2_500, "by itself it would ask after five seconds");
});

Deno.test("runWorker() asks for a phone's work only after the edge knows its lost account", async () => {
  const accounts = ["com.whatsapp", "com.whatsapp.w4b"].map((app) => ({ app, user: 0, firstInstalledAt: 0 }));
  await using site = await startTestSite({
    phones: { devices: 1, traits: () => ({ accounts }) },
    edge: { queuesAgain: false },
  });
  site.simulator.phones[0]!.setAccountState("com.whatsapp/0", "banned");
  site.edge.queue(1, { text: TEXT }, numbers(6));
  const isLost = (frame: AgentFrame) =>
    frame.type === "report" && frame.items[0]!.reason === "account_banned";
  const isReported = (frame: AgentFrame) =>
    frame.type === "inventory" && frame.accounts.some(({ state }) => state === "banned");
  const { received } = site.edge;
  await site.edge.until(() => received.some(isReported) && received.some(isLost));
  const between = received.slice(0, received.findIndex(isReported)).slice(received.findIndex(isLost));
  assert.ok(between.length > 0);
  assert.deepEqual(between.filter((frame) => frame.type === "pull" || ("asks" in frame && frame.asks)), []);
});

Deno.test("runWorker() sends a separate pull to an edge that leases nothing with reports", async () => {
  await using site = await startTestSite({ edge: { can: {} } });
  const phones = numbers(12);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.ok(site.edge.received.every((frame) => frame.type !== "report" || frame.asks === undefined));
});

Deno.test("runWorker() asks an edge of the previous release with reports, as its flag says (rule 20)", async () => {
  await using site = await startTestSite({ edge: { can: { leasesWithReports: true } } });
  const phones = numbers(12);
  site.edge.queue(1, { text: TEXT }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  assert.ok(site.edge.received.some((frame) => frame.type === "report" && frame.asks !== undefined));
});

Deno.test("runWorker() asks again as soon as the edge no longer counts its reported rows as held", async () => {
  let isRefused = false;
  const reports: number[] = [];
  const leases: number[] = [];
  const [first = "", second = ""] = numbers(2);
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: {
      can: {},
      lets(frame) {
        if (frame.type === "lease") leases.push(site.clock.monotonic());
        return true;
      },
      receives(frame) {
        if (frame.type === "report") reports.push(site.clock.monotonic());
        if (frame.type !== "pull" || site.edge.deliveries.get(first)?.state !== "leased") return true;
        isRefused = true;
        return false;
      },
    },
  });
  site.edge.queue(1, { text: TEXT }, [first]);
  site.edge.queue(2, { text: TEXT }, [second]);
  await site.edge.until(() => site.edge.states().sent === 2);
  assert.ok(isRefused);
  assert.ok(leases[1]! - reports[0]! < 2_500, "by itself it would ask five seconds after the refusal");
});

Deno.test("runWorker() asks only with the report while an outcome waits to be reported (rule 18)", async () => {
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: ({ type }) => type !== "reportAck" },
  });
  const [first = "", second = ""] = numbers(2);
  site.edge.queue(1, { text: TEXT }, [first]);
  await site.edge.untilReceived("report");
  const from = site.edge.received.length;
  const [next] = site.edge.queue(2, { text: TEXT }, [second]);
  await site.edge.until(() => next!.state === "leased");
  const asked = site.edge.received.slice(from).filter(({ type }) => type === "pull" || type === "report");
  assert.deepEqual(
    asked.map(({ type }) => type),
    ["report"],
    "the edge does not know yet that its hands are free",
  );
});

Deno.test("runWorker() asks for work only after its inventory on this connection", async () => {
  await using site = await startTestSite();
  const { received } = site.edge;
  const has = (type: AgentFrame["type"], from: number) =>
    received.slice(from).some((one) => one.type === type);
  await site.edge.until(() => has("pull", 0));
  const from = received.length;
  site.edge.cut();
  const cutAt = site.clock.monotonic();
  await site.edge.until(() => has("inventory", from) && has("pull", from));
  assert.ok(
    site.clock.monotonic() - cutAt < 2_500,
    "what was asked on the last connection has no answer to wait for",
  );
  const hello = received.findIndex(({ type }, index) => type === "hello" && index >= from);
  const events = received.slice(hello).map(({ type }) => type).filter((type) => type !== "heartbeat");
  assert.deepEqual(events.slice(0, 3), ["hello", "inventory", "pull"]);
});

Deno.test("runWorker() asks at once after workWaiting, though it has just asked in vain", async () => {
  await using site = await startTestSite({ phones: { devices: 1 } });
  await site.edge.untilReceived("pull");
  const calledAt = site.clock.monotonic();
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.edge.until(() => delivery!.state === "leased");
  assert.ok(site.clock.monotonic() - calledAt < 2_500, "by itself it would ask after five seconds");
});

Deno.test("runWorker() drops a lease whose connection ended while it was written (rule 2)", async () => {
  using clock = steadyClock();
  let isFirst = true;
  await using site = await startTestSite({
    clock,
    phones: { devices: 1 },
    edge: {
      lets({ type }) {
        if (type !== "lease" || !isFirst) return true;
        isFirst = false;
        // Time stops until the next connection is open: the lease is still being written.
        clock.stepMs = 0;
        site.edge.generation = "second";
        queueMicrotask(() => site.edge.cut());
        return true;
      },
    },
  });
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  const isSent = () =>
    site.edge.received.some((one) => one.type === "outcomes" && one.generation === "second");
  await site.edge.until(isSent);
  clock.stepMs = 25;
  await site.edge.until(() => delivery!.state === "sent");
  // Longer than the wait before an acknowledgement is repeated.
  await clock.sleep(10_000);
  const acks = site.edge.received.flatMap((one) => one.type === "leaseAck" ? [one.token] : []);
  assert.deepEqual(acks, [delivery!.token], "the offer of before is the edge's again");
});

Deno.test("runWorker() acknowledges a lease again whose go was lost, on the same connection", async () => {
  let isLost = true;
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: ({ type }) => type !== "go" || !isLost || (isLost = false) },
  });
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  await Promise.race([site.edge.until(() => delivery!.state === "sent"), site.clock.sleep(60_000)]);
  assert.equal(delivery!.state, "sent");
  assert.equal(site.edge.received.filter(({ type }) => type === "leaseAck").length, 2);
  assert.equal(site.edge.received.filter(({ type }) => type === "hello").length, 1);
});

Deno.test("runWorker() asks for nothing while its journal holds as much as a hello can list", async () => {
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: ({ type }) => type !== "reportAck" },
  });
  await site.stop();
  const journal = new Journal(site.journalPath, { now: site.clock.now, newId: () => "1".repeat(32) });
  const items = Array.from({ length: 4_000 }, (_, no) => (
    { phone: `+97250${1_000_000 + no}`, attempt: 1, account: "SIM0001/com.whatsapp/0" }
  ));
  const token = "a".repeat(32);
  journal.addLease({ type: "lease", token, ttlMs: 1, campaign: 1, text: TEXT, image: null, items });
  journal.close();
  const from = site.edge.received.length;
  site.start();
  const isReceived = (type: AgentFrame["type"]) =>
    site.edge.received.slice(from).some((one) => one.type === type);
  await site.edge.until(() => isReceived("inventory") && isReceived("report"));
  site.edge.send({ type: "workWaiting" });
  await site.clock.sleep(10_000);
  const asking = site.edge.received.slice(from).filter((one) =>
    one.type === "pull" || ("asks" in one && one.asks)
  );
  assert.deepEqual(asking, []);
});
