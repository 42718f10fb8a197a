import assert from "node:assert/strict";
import type { AgentFrame } from "shared/agent_protocol.ts";
import { SILENCE_LIMIT_MS } from "shared/lease.ts";
import { openFleet } from "../testing/fleet.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { acknowledge, openRows, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { connectSite } from "./connect.ts";
import { drainSite } from "./drain.ts";
import { handleFrame } from "./handle_frame.ts";
import { SupersededError } from "../queue/fence.ts";
import { handleHello, type HelloFrame } from "./hello.ts";
import { sleep } from "../time/sleep.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { settleSilent } from "../queue/settle_silent.ts";

Deno.test("handleHello() queues rows that were only offered to the site (rule 4)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site);
  assert.ok(lease);

  await fleet.reconnect(site, { open: openRows(lease) });
  assert.deepEqual(await fleet.states(campaign.id), ["queued", "queued"]);
  assert.equal((await fleet.one("SELECT sum(used) AS used FROM account_days")).used, 0);
});

Deno.test("handleHello() does not change acknowledged rows that hello lists (rules 3 and 8)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  const [held, tapping, done] = openRows(lease);

  const { drop } = await fleet.reconnect(site, {
    open: [held, { ...tapping, at: "tapping" }, { ...done, at: "done" }],
  });
  assert.deepEqual(drop, []);
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "leased", "leased"]);
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied", "applied", "applied"]);
});

Deno.test("handleHello() makes acknowledged rows unknown that hello does not list (rule 9)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);

  await fleet.reconnect(site, { open: openRows(lease).slice(0, 1) });
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "unknown"]);
  const row = await fleet.one("SELECT by, reason FROM deliveries WHERE state = 'unknown'");
  assert.deepEqual(row, { by: 4, reason: "journal_lost" });
  // The site's report wins (rule 11).
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied", "applied"]);
});

Deno.test("handleHello() answers `drop` for rows whose token is no longer valid, and for unwanted rows", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  const [first, second, third] = openRows(lease);
  await fleet.ctx.db.execute(
    "INSERT INTO suppressions (phone, source, at) SELECT phone, 'test', 0 FROM deliveries ORDER BY id LIMIT 1",
  );
  const foreign = { ...third, token: "f".repeat(32) };

  const tapping = { ...foreign, phone: second.phone, at: "tapping" as const };
  const { drop } = await fleet.reconnect(site, { open: [first, second, third, foreign, tapping] });
  assert.deepEqual(drop, [
    { token: lease.token, phones: [first.phone] },
    { token: foreign.token, phones: [foreign.phone] },
  ]);
});

Deno.test("handleHello() acts once, and only with the site's present epoch (rule 1)", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  await assert.rejects(fleet.reconnect(site, { epoch: site.epoch }), SupersededError);
  assert.notEqual(
    (await fleet.one("SELECT epoch FROM sites")).epoch,
    (await fleet.one("SELECT hello_epoch FROM sites")).hello_epoch,
  );
});

Deno.test("handleHello() stops a site whose journal went backwards or is another's (rule 14)", async (t) => {
  const cases = {
    "counter at open": { counterAtOpen: 10 },
    "counter of a later hello": { journalCounter: 10 },
    "foreign journal with rows": { journalId: "f".repeat(32) },
  };
  for (const [name, hello] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      await sendNew(fleet, 3);
      const site = await fleet.addSite();
      const lease = await take(fleet, site, 2);

      const { drop } = await fleet.reconnect(site, { ...hello, open: openRows(lease) });
      assert.deepEqual(drop, [{ token: lease.token, phones: lease.items.map((item) => item.phone) }]);
      const rows = await fleet.one(
        "SELECT count(*) AS n, min(by) AS by, min(reason) AS reason FROM deliveries WHERE state = 'unknown'",
      );
      assert.deepEqual(rows, { n: 2, by: 6, reason: "journal_doubted" });
      assert.equal(await pull(fleet, site), null);
      assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 1);
      // Only a report of sent moves such a row.
      assert.deepEqual(await report(fleet, site, lease, "void"), ["known", "known"]);
      assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied", "applied"]);
    });
  }
});

Deno.test("handleHello() doubts a foreign journal that lists nothing but ends (rule 14)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  // A copy of this site's disk ran elsewhere, and reports work that it never did here.
  const [first, second] = openRows(lease, "done");
  await fleet.reconnect(site, { journalId: "f".repeat(32), open: [first!, second!] });
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "unknown"]);
  assert.deepEqual(await fleet.one("SELECT stopped, stop_reason FROM sites"), {
    stopped: 1,
    stop_reason: "journal_doubted",
  });
  assert.deepEqual(await report(fleet, site, lease, "void"), ["known", "known"], "its word queues nothing");
});

Deno.test("handleHello() detects a restored journal, whatever frame the site sent last (rule 14)", async (t) => {
  const device: AgentFrame = { type: "commandResult", id: 1, ok: true, detail: "" };
  const early: AgentFrame = { type: "heartbeat", journalCounter: 1_000_400, at: 0 };
  for (const [name, last] of Object.entries({ "one without a counter": device, "one of before": early })) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 1);
      const site = await fleet.addSite();
      const lease = await take(fleet, site);
      await handleFrame(fleet.ctx, site, { type: "heartbeat", journalCounter: 1_000_500, at: 0 });
      await handleFrame(fleet.ctx, site, last);
      await fleet.reconnect(site, { counterAtOpen: 1_000_499, open: openRows(lease) });
      assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
    });
  }
});

Deno.test("handleHello() whose answer was lost is repeated by the same process without doubt (rule 14)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await fleet.reconnect(site, { counterAtOpen: 1_000_000, journalCounter: 1_000_003 });
  await fleet.reconnect(site, { counterAtOpen: 1_000_000, journalCounter: 1_000_003 });
  const lease = await take(fleet, site, 1);
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied"]);
});

Deno.test("handleHello() detects a restored journal although an earlier hello of its process was lost (rule 14)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  // Connected, and cut off before hello arrived; recovery has written to the journal since.
  await connectSite(fleet.ctx, site.site);
  await fleet.reconnect(site, {
    counterAtOpen: 999_000,
    journalCounter: 1_000_500,
    open: openRows(lease, "done"),
  });
  assert.deepEqual(await report(fleet, site, lease, "void"), ["known"]);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
});

Deno.test("handleHello() settles no row of another site, whatever it finds for its own (rules 9 and 14)", async (t) => {
  const hellos = { "a lost journal": { open: [] }, "a doubted one": { counterAtOpen: 1 } };
  for (const [name, hello] of Object.entries(hellos)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 5);
      const [site, other] = [await fleet.addSite(), await fleet.addSite()];
      const earlier = await take(fleet, other, 1);
      fleet.pass(SILENCE_LIMIT_MS + 1);
      await settleSilent(fleet.ctx);
      await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
      const unknown = await take(fleet, other, 1);
      await report(fleet, other, unknown, "unknown");
      await take(fleet, other, 1);
      const offered = await pull(fleet, other, 1);
      const own = await take(fleet, site, 1);
      const states = ["queued", "unknown", "leased", "leased"];
      assert.deepEqual(await fleet.states(campaign.id), [...states, "leased"]);
      await fleet.reconnect(site, { open: openRows(own), ...hello });
      assert.deepEqual(await fleet.states(campaign.id), [...states, "unknown"]);
      assert.equal((await acknowledge(fleet, other, offered!.token)).items.length, 1);
      // Its journal is trusted too: its report about the attempts in doubt is accepted.
      assert.deepEqual(await report(fleet, other, earlier, "void"), ["applied"]);
      assert.deepEqual(await report(fleet, other, unknown, "void"), ["applied"]);
    });
  }
});

Deno.test("handleHello() acts once per connection: a second one settles nothing (rule 2)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const welcome = await connectSite(fleet.ctx, site.site);
  site.epoch = welcome!.epoch;
  const hello: HelloFrame = {
    type: "hello",
    epoch: site.epoch,
    journalId: String(site.site).padStart(32, "0"),
    counterAtOpen: null,
    journalCounter: 1_000_000,
    open: [],
    agentVersion: "test",
  };
  await handleHello(fleet.ctx, site, hello);
  await take(fleet, site);
  await assert.rejects(handleHello(fleet.ctx, site, hello), SupersededError);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
});

Deno.test("handleHello() allows leases again to a site that drained before", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await drainSite(fleet.ctx, site);
  assert.equal(await pull(fleet, site), null);
  await fleet.reconnect(site);
  assert.equal((await pull(fleet, site))?.items.length, 1);
});

Deno.test("handleHello() treats a new empty journal as a lost one, not as a copy", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await take(fleet, site, 1);

  await fleet.reconnect(site, { journalId: "e".repeat(32), counterAtOpen: 0, journalCounter: 0 });
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "queued"]);
  assert.equal((await fleet.one("SELECT reason FROM deliveries ORDER BY id")).reason, "journal_lost");
  const lease = await pull(fleet, site);
  assert.ok(lease);
  assert.equal((await acknowledge(fleet, site, lease.token)).items.length, 1);
});

Deno.test("handleHello() does not mistake a row under another token for the one the site holds (rule 9)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await fleet.reconnect(site, { open: openRows({ ...lease, token: "d".repeat(32) }, "done") });
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
});

Deno.test("handleHello() of thousands of lost rows lets others read meanwhile, and they see all of it or nothing", async () => {
  await using fleet = await openFleet();
  const { db } = fleet.ctx;
  const site = await fleet.addSite();
  const client = await fleet.addClient(0);
  const campaign = await makeCampaign(fleet.ctx, {
    client: client.id,
    status: "active",
    rows: { queued: 1, leased: 5_000 },
  });
  await db.execute({
    sql: "UPDATE deliveries SET site = ?, token = 't' WHERE state = 'leased'",
    args: [site.site],
  });
  const seen: unknown[] = [];
  let isDone = false;
  const reader = (async () => {
    while (!isDone) {
      await sleep(0);
      seen.push((await fleet.one(`SELECT unknown_count AS n FROM campaigns WHERE id = ${campaign}`)).n);
    }
  })();
  await fleet.reconnect(site);
  isDone = true;
  await reader;
  assert.deepEqual(new Set(seen), new Set([0, 5_000]));
  assert.ok(seen.filter((n) => n === 0).length > 2, `read ${seen} meanwhile`);
});
