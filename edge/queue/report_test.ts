import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import type { ReportItem } from "shared/agent_protocol.ts";
import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { SILENCE_LIMIT_MS } from "shared/lease.ts";
import { connectSite } from "../sites/connect.ts";
import { type Fleet, openFleet, outcomesOf, type TestSite } from "../testing/fleet.ts";
import { balanceOf, pull, report, reportItems, sendNew, statusOf, take } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import { SupersededError } from "./fence.ts";
import type { LeaseFrame } from "./lease.ts";
import { type Report, reportOutcomes } from "./report.ts";
import { resolveDeliveries } from "./resolve.ts";
import { settleSilent } from "./settle_silent.ts";

Deno.test("reportOutcomes() settles each outcome, refunds what was not sent, and ends the campaign", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  const [sent, failed, unknown] = outcomesOf(lease, "sent");

  const results = await reportItems(fleet, site, [
    { ...sent, tappedAt: 5 },
    { ...failed, outcome: "failed", reason: "not_on_app" },
    { ...unknown, outcome: "unknown", reason: "send_not_verified" },
  ]);
  assert.deepEqual(results, ["applied", "applied", "applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "failed", "unknown"]);
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  assert.equal(await statusOf(fleet, campaign), "completed_with_errors");
  const row = await fleet.one("SELECT by, reason, tapped_at FROM deliveries WHERE state = 'sent'");
  assert.deepEqual(row, { by: 1, reason: null, tapped_at: 5 });
  const reasons = await fleet.one("SELECT json_group_array(reason) AS reasons FROM deliveries WHERE by = 1");
  assert.deepEqual(JSON.parse(String(reasons.reasons)), [null, "not_on_app", "send_not_verified"]);
});

Deno.test("reportOutcomes() keeps every outcome but a first try's success as evidence", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  const [first, second] = outcomesOf(lease, "sent");
  await reportItems(fleet, site, [first, { ...second, outcome: "void", reason: "device_offline" }]);
  await report(fleet, site, await take(fleet, site), "sent");

  const { rows } = await fleet.ctx.db.execute(
    "SELECT attempt, outcome, reason, account FROM attempts ORDER BY id",
  );
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { attempt: 1, outcome: "void", reason: "device_offline", account: 1 },
    { attempt: 2, outcome: "sent", reason: null, account: 1 },
  ]);
});

Deno.test("reportOutcomes() records when an account last sent, and a repeated report changes nothing", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const [sent, failed] = outcomesOf(await take(fleet, site), "sent");
  const lastSentAt = async () => (await fleet.one("SELECT last_sent_at AS at FROM accounts")).at;

  await reportItems(fleet, site, [{ ...failed, outcome: "failed", reason: "not_on_app" }]);
  assert.equal(await lastSentAt(), null);
  await reportItems(fleet, site, [sent]);
  const at = fleet.ctx.now();
  assert.equal(await lastSentAt(), at);
  fleet.pass(1_000);
  assert.deepEqual(await reportItems(fleet, site, [sent]), ["known"]);
  assert.equal(await lastSentAt(), at);
});

Deno.test("reportOutcomes() counts accounts' outcomes in the hour of the report, an unknown and its end separately", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 4);
  const site = await fleet.addSite(2);
  const [sent, failed, absent, unknown] = outcomesOf(await take(fleet, site), "sent");
  await reportItems(fleet, site, [
    sent,
    { ...failed, outcome: "failed", reason: "chat_not_opened" },
    { ...absent, outcome: "failed", reason: "not_on_app" },
    { ...unknown, outcome: "unknown", reason: "send_not_verified" },
  ]);
  fleet.pass(60 * 60_000);
  assert.deepEqual(await reportItems(fleet, site, [unknown]), ["applied"]);

  const { rows } = await fleet.ctx.db.execute(
    `SELECT sum(sent) AS sent, sum(failed) AS failed, sum(absent) AS absent, sum(unknown) AS unknown
    FROM account_hours GROUP BY hour ORDER BY hour`,
  );
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { sent: 1, failed: 2, absent: 1, unknown: 1 },
    { sent: 1, failed: 0, absent: 0, unknown: 0 },
  ]);
});

Deno.test("reportOutcomes() sends the client the new counters in one event per campaign", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  for (let round = 0; round < 2; round++) await report(fleet, site, await take(fleet, site, 1), "sent");

  const { rows } = await fleet.ctx.db.execute(
    "SELECT id, client, data FROM events WHERE type = 'campaign_progress'",
  );
  assert.equal(rows.length, 1);
  assert.equal(rows[0].client, campaign.client.id);
  assert.deepEqual(JSON.parse(String(rows[0].data)).counts.sent, 2);
  const { change_no } = await fleet.one(`SELECT change_no FROM users WHERE id = ${campaign.client.id}`);
  assert.ok(Number(change_no) >= Number(rows[0].id));
});

Deno.test("reportOutcomes() of the same report again changes nothing (rule 5)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  const items = (["sent", "failed", "unknown"] as const).map((outcome, index) => ({
    ...outcomesOf(lease, outcome)[index],
  }));
  await reportItems(fleet, site, items);
  const before = await fleet.one("SELECT * FROM campaigns");

  assert.deepEqual(await reportItems(fleet, site, items), ["known", "known", "known"]);
  assert.deepEqual(await fleet.one("SELECT * FROM campaigns"), before);
  assert.equal(await balanceOf(fleet, campaign.client), 1);
});

Deno.test("reportOutcomes() of one delivery twice in a frame applies the last outcome, and answers once", async () => {
  for (const [first, last] of [["sent", "failed"], ["failed", "sent"], ["void", "sent"]] as const) {
    await using fleet = await openFleet();
    const campaign = await sendNew(fleet, 1);
    const site = await fleet.addSite();
    const lease = await take(fleet, site);
    const items = [...outcomesOf(lease, first), ...outcomesOf(lease, last)];
    assert.deepEqual(await reportItems(fleet, site, items), ["applied"]);
    assert.deepEqual(await fleet.states(campaign.id), [last]);
    assert.equal(await balanceOf(fleet, campaign.client), last === "failed" ? 1 : 0);
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  }
});

Deno.test("reportOutcomes() refuses a token that is not the row's, and keeps it as evidence", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const [slow, quick] = [await fleet.addSite(), await fleet.addSite()];
  const stale = await pull(fleet, slow);
  assert.ok(stale);
  await fleet.reconnect(slow);
  const lease = await take(fleet, quick);

  assert.deepEqual(await report(fleet, slow, stale, "failed"), ["stale"]);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
  assert.equal((await fleet.one("SELECT outcome FROM attempts WHERE by = 1")).outcome, "failed");
  // A site may not report with another site's token either.
  assert.deepEqual(await report(fleet, slow, lease, "sent"), ["stale"]);
  assert.deepEqual(await report(fleet, quick, lease, "sent"), ["applied"]);
});

Deno.test("reportOutcomes() answers `stale` for an attempt that never was", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const [item] = outcomesOf(await take(fleet, site), "sent");
  const results = await reportItems(fleet, site, [
    { ...item, phone: "+972549999999" },
    { ...item, campaign: 99 },
  ]);
  assert.deepEqual(results, ["stale", "stale"]);
});

Deno.test("reportOutcomes() of a temporary failure waits 1, 5 and 30 minutes, and the fourth is final (tries)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  for (const delayMs of RETRY_DELAYS_MS) {
    await report(fleet, site, await take(fleet, site), "void", { temporary: true });
    const row = await fleet.one("SELECT state, not_before FROM deliveries");
    assert.deepEqual(row, { state: "queued", not_before: fleet.ctx.now() + delayMs });
    fleet.pass(delayMs);
  }
  await report(fleet, site, await take(fleet, site), "void", { temporary: true });
  const row = await fleet.one("SELECT state, reason FROM deliveries");
  assert.deepEqual(row, { state: "failed", reason: "retries_exhausted" });
  assert.equal(await statusOf(fleet, campaign), "failed");
  assert.equal(await balanceOf(fleet, campaign.client), 1);
});

Deno.test("reportOutcomes() of any other void queues again at once and counts no try (tries)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  for (let round = 0; round < 6; round++) await report(fleet, site, await take(fleet, site), "void");
  assert.deepEqual(await fleet.one("SELECT state, tries, attempt FROM deliveries"), {
    state: "queued",
    tries: 0,
    attempt: 6,
  });
});

Deno.test("reportOutcomes() refuses an older connection (rule 1)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await fleet.ctx.db.execute("UPDATE sites SET epoch = epoch + 1");
  await assert.rejects(report(fleet, site, lease, "sent"), SupersededError);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
});

Deno.test("reportOutcomes() acknowledges nothing when another connection comes between its two transactions (rule 1)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  fleet.pass(SILENCE_LIMIT_MS + 1);
  await settleSilent(fleet.ctx);
  const { db } = fleet.ctx;
  const overtaken = new Proxy(db, {
    get: (client, key) =>
      key !== "batch"
        ? Reflect.get(client, key).bind(client)
        : async (...batch: Parameters<Client["batch"]>) => {
          const answers = await client.batch(...batch);
          await connectSite(fleet.ctx, site.site);
          return answers;
        },
  });
  const items = outcomesOf(lease, "sent");
  await assert.rejects(
    reportOutcomes({ ...fleet.ctx, db: overtaken }, { ...site, seq: 1, journalCounter: 1_000_000, items }),
    SupersededError,
  );
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
});

Deno.test("reportOutcomes() leases the requested work, also into the room that the report frees (rule 18)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 5);
  const site = await fleet.addSite();
  const [first, second] = outcomesOf(await take(fleet, site), "sent");
  assert.equal(await pull(fleet, site), null, "the hands are full");
  const ask = (items: ReportItem[], more: Partial<Report> = {}) => reportAndAsk(fleet, site, items, more);
  const next = await ask([first]);
  assert.deepEqual(next.items.map(({ result }) => result), ["applied"]);
  assert.equal(next.lease?.campaign, campaign.id);
  assert.equal(next.lease.items.length, 1);

  const behindFailure = await ask([{ ...second, outcome: "failed", reason: "not_on_app" }]);
  assert.equal(behindFailure.lease?.items.length, 1);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "failed", "leased", "leased", "leased"]);
  assert.equal((await ask([first])).lease, undefined, "nothing is left");
  for (const asked of [[first], [{ ...first, outcome: "unknown" as const }]]) {
    await assert.rejects(ask(asked, { epoch: site.epoch - 1 }), SupersededError);
  }
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("reportOutcomes() that brings a lease writes the site's row once, and the campaign's progress once", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 5);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  await fleet.ctx.db.execute("CREATE TABLE written (what TEXT)");
  for (const [what, act] of [["site", "UPDATE ON sites"], ["progress", "INSERT ON events"]]) {
    await fleet.ctx.db.execute(
      `CREATE TRIGGER ${what}_written AFTER ${act} BEGIN INSERT INTO written VALUES ('${what}'); END`,
    );
  }
  const { lease: next } = await reportAndAsk(fleet, site, outcomesOf(lease, "sent"));
  assert.ok(next);
  const { rows } = await fleet.ctx.db.execute("SELECT what FROM written ORDER BY what");
  assert.deepEqual(rows.map(({ what }) => what), ["progress", "site"]);
});

Deno.test("reportOutcomes() leases after it has taken late outcomes (rule 18)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite(1, 1);
  const lease = await take(fleet, site, 1);
  fleet.pass(SILENCE_LIMIT_MS + 1);
  await settleSilent(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown", "queued"]);
  const ack = await reportAndAsk(fleet, site, outcomesOf(lease, "sent"));
  assert.deepEqual(ack.items.map(({ result }) => result), ["applied"]);
  assert.equal(ack.lease?.items.length, 1);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "leased"]);
});

Deno.test("reportOutcomes() leases no row before it has taken the late outcomes of that row (rules 11, 12, 18)", async (t) => {
  await t.step("of a row that a person sends again", async () => {
    await using fleet = await openFleet();
    const campaign = await sendNew(fleet, 1);
    const site = await fleet.addSite(1, 2);
    const lease = await take(fleet, site, 1);
    fleet.pass(SILENCE_LIMIT_MS + 1);
    await settleSilent(fleet.ctx);
    await fleet.show(site, 2);
    await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
    const row = () => fleet.one("SELECT token, account, attempt, leased_day FROM deliveries");
    const before = await row();
    assert.equal(await leasedBeside(fleet, site, lease), undefined);
    assert.deepEqual(await row(), before, "who sent it is who is said to have");
  });
  await t.step("of a row that was said to be untapped", async () => {
    await using fleet = await openFleet();
    const campaign = await sendNew(fleet, 1);
    const site = await fleet.addSite(1, 1);
    const lease = await take(fleet, site, 1);
    assert.deepEqual(await report(fleet, site, lease, "void"), ["applied"]);
    assert.equal(await leasedBeside(fleet, site, lease), undefined, "nobody is sent to twice");
    assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  });

  async function leasedBeside(fleet: Fleet, site: TestSite, lease: LeaseFrame) {
    const ack = await reportAndAsk(fleet, site, outcomesOf(lease, "sent"));
    assert.deepEqual(ack.items.map(({ result }) => result), ["applied"]);
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    return ack.lease;
  }
});

Deno.test("reportOutcomes() looks for work after a run of suppressed numbers (rule 18)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(9);
  const campaign = await sendNew(fleet, 5, client);
  const site = await fleet.addSite(1, 1);
  const lease = await take(fleet, site, 2);
  await fleet.ctx.db.executeMultiple(`
    INSERT INTO suppressions (client, phone, source, at)
      SELECT 0, phone, 'test', 0 FROM deliveries WHERE state = 'queued' ORDER BY id LIMIT 2`);
  const ack = await reportAndAsk(fleet, site, outcomesOf(lease, "sent"));
  assert.deepEqual(ack.lease?.items.map(({ phone }) => phone), campaign.phones.slice(4));
});

/** Reports these outcomes, and asks for one delivery with them. */
function reportAndAsk({ ctx }: Fleet, site: TestSite, items: ReportItem[], more: Partial<Report> = {}) {
  const asks = [{ id: site.devices[0]!, room: 1 }];
  return reportOutcomes(ctx, { ...site, seq: 1, journalCounter: 1_000_000, items, asks, ...more });
}
