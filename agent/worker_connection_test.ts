/** What a site asks and takes on one connection, where the next one or a report is on its way. */
import assert from "node:assert/strict";
import type { AgentFrame } from "shared/agent_protocol.ts";
import { Journal } from "./journal.ts";
import { numbers, startTestSite } from "./testing/site.ts";
import { steadyClock } from "./testing/steady_clock.ts";

const TEXT = "שלום";

Deno.test("runWorker() asks with the report alone while an outcome waits to be told (rule 18)", async () => {
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { lets: ({ type }) => type !== "reportAck" },
  });
  const [first = "", second = ""] = numbers(2);
  site.edge.queue(1, { text: TEXT }, [first]);
  await site.edge.untilHeard("report");
  const from = site.edge.heard.length;
  const [next] = site.edge.queue(2, { text: TEXT }, [second]);
  await site.edge.until(() => next!.state === "leased");
  const asked = site.edge.heard.slice(from).filter(({ type }) => type === "pull" || type === "report");
  assert.deepEqual(
    asked.map(({ type }) => type),
    ["report"],
    "the edge does not know yet that its hands are free",
  );
});

Deno.test("runWorker() asks nothing of an edge that has not heard of its phones on this connection", async () => {
  await using site = await startTestSite();
  const { heard } = site.edge;
  const has = (type: AgentFrame["type"], from: number) => heard.slice(from).some((one) => one.type === type);
  await site.edge.until(() => has("pull", 0));
  const from = heard.length;
  site.edge.cut();
  const cutAt = site.clock.monotonic();
  await site.edge.until(() => has("inventory", from) && has("pull", from));
  assert.ok(
    site.clock.monotonic() - cutAt < 2_500,
    "what was asked on the last connection has no answer to wait for",
  );
  const hello = heard.findIndex(({ type }, index) => type === "hello" && index >= from);
  const said = heard.slice(hello).map(({ type }) => type).filter((type) => type !== "heartbeat");
  assert.deepEqual(said.slice(0, 3), ["hello", "inventory", "pull"]);
});

Deno.test("runWorker() asks at once when it is called to work, though it has just asked in vain", async () => {
  await using site = await startTestSite({ phones: { devices: 1 } });
  await site.edge.untilHeard("pull");
  const calledAt = site.clock.monotonic();
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.edge.until(() => delivery!.state === "leased");
  assert.ok(site.clock.monotonic() - calledAt < 2_500, "by itself it would ask after five seconds");
});

Deno.test("runWorker() takes no lease of a connection that ended while it was being written (rule 2)", async () => {
  using clock = steadyClock();
  let isFirst = true;
  await using site = await startTestSite({
    clock,
    phones: { devices: 1 },
    edge: {
      lets({ type }) {
        if (type !== "lease" || !isFirst) return true;
        isFirst = false;
        // Time stands still until the next connection is open: the lease is still being written.
        clock.stepMs = 0;
        site.edge.generation = "second";
        queueMicrotask(() => site.edge.cut());
        return true;
      },
    },
  });
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  const isSaid = () => site.edge.heard.some((one) => one.type === "outcomes" && one.generation === "second");
  await site.edge.until(isSaid);
  clock.stepMs = 25;
  await site.edge.until(() => delivery!.state === "sent");
  // Longer than an acknowledgement waits before it is said again.
  await clock.sleep(10_000);
  const acks = site.edge.heard.flatMap((one) => one.type === "leaseAck" ? [one.token] : []);
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
  assert.equal(site.edge.heard.filter(({ type }) => type === "leaseAck").length, 2);
  assert.equal(site.edge.heard.filter(({ type }) => type === "hello").length, 1);
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
  const from = site.edge.heard.length;
  site.start();
  const isHeard = (type: AgentFrame["type"]) => site.edge.heard.slice(from).some((one) => one.type === type);
  await site.edge.until(() => isHeard("inventory") && isHeard("report"));
  site.edge.say({ type: "workWaiting" });
  await site.clock.sleep(10_000);
  const asking = site.edge.heard.slice(from).filter((one) =>
    one.type === "pull" || ("asks" in one && one.asks)
  );
  assert.deepEqual(asking, []);
});
