import assert from "node:assert/strict";
import type { ReportItem } from "shared/agent_protocol.ts";
import { MAX_REPORT_ITEMS, PREFETCH_PER_DEVICE, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { connectSite } from "../sites/connect.ts";
import { connectDatabase } from "../db/connect.ts";
import { countRoundTrips } from "../testing/count_round_trips.ts";
import { type Fleet, openFleet, outcomesOf } from "../testing/fleet.ts";
import { startHranaServer } from "../testing/hrana_server.ts";
import { balanceOf, recalled, report, reportItems, sendNew, statusOf, take } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import { SupersededError } from "./fence.ts";
import { resolveDeliveries } from "./resolve.ts";
import { settleSilent } from "./settle_silent.ts";

/** A delivery that its site held silently for a day, so that the clock made it unknown. */
async function openSilent(fleet: Fleet) {
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const first = await take(fleet, site);
  fleet.pass(SILENCE_LIMIT_MS + 1);
  assert.equal(await settleSilent(fleet.ctx), 1);
  const { id } = await fleet.one("SELECT id FROM deliveries");
  const resolve = (as: "sent" | "failed" | "resend") =>
    resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: [Number(id)], as });
  const row = () => fleet.one("SELECT state, by, reason FROM deliveries");
  return { campaign, site, first, resolve, row };
}

async function consistent(fleet: Fleet): Promise<void> {
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
}

Deno.test("reportOutcomes() of a late outcome derives the campaign's end again (rule 11)", async (t) => {
  const cases = [
    ["sent", "sent", "completed"],
    ["failed", "failed", "failed"],
    ["unknown", "unknown", "completed_with_errors"],
    // Its campaign had ended by then, so the row is not queued again.
    ["void", "failed", "failed"],
  ] as const;
  for (const [outcome, state, status] of cases) {
    await t.step(outcome, async () => {
      await using fleet = await openFleet();
      const { campaign, site, first, row } = await openSilent(fleet);
      assert.deepEqual(await row(), { state: "unknown", by: 3, reason: "site_silent" });
      const { completed_at } = await fleet.one("SELECT completed_at FROM campaigns");
      fleet.pass(60_000);
      assert.deepEqual(await report(fleet, site, first, outcome), ["applied"]);
      assert.deepEqual(
        await fleet.one("SELECT completed_at FROM campaigns"),
        { completed_at },
        "it ended then",
      );
      assert.deepEqual([(await row()).state, (await row()).by], [state, 1]);
      assert.equal(await statusOf(fleet, campaign), status);
      assert.deepEqual(await report(fleet, site, first, outcome), ["known"]);
      await consistent(fleet);
    });
  }
});

/** The fleet over a remote database, with its round trips counted. */
async function remoteOf(fleet: Fleet) {
  const server = startHranaServer({ path: fleet.database.path });
  const { db, taken } = countRoundTrips(await connectDatabase(server.url));
  return {
    fleet: { ...fleet, ctx: { ...fleet.ctx, db } },
    taken,
    async [Symbol.asyncDispose]() {
      db.close();
      await server.close();
    },
  };
}

/** A site with `count` deliveries that the clock made unknown, as the items of one lease. */
async function openManySilent(fleet: Fleet, count: number) {
  const campaign = await sendNew(fleet, count);
  const site = await fleet.addSite(Math.ceil(count / (PREFETCH_PER_DEVICE + 1)));
  const items: ReportItem[] = [];
  while (items.length < count) items.push(...outcomesOf(await take(fleet, site), "sent"));
  fleet.pass(SILENCE_LIMIT_MS + 1);
  while (await settleSilent(fleet.ctx) > 0);
  return { campaign, site, items };
}

Deno.test("reportOutcomes() of 500 late outcomes takes few round trips to a remote database", async () => {
  await using fleet = await openFleet();
  const { campaign, site, items } = await openManySilent(fleet, MAX_REPORT_ITEMS);
  await using server = await remoteOf(fleet);
  assert.deepEqual(new Set(await reportItems(server.fleet, site, items)), new Set(["applied"]));
  const roundTrips = server.taken();
  assert.ok(roundTrips <= 60, `${roundTrips} round trips`);
  assert.deepEqual(new Set(await fleet.states(campaign.id)), new Set(["sent"]));
  await consistent(fleet);
});

Deno.test("reportOutcomes() takes no more round trips for 500 outcomes of one delivery", async () => {
  await using fleet = await openFleet();
  const { site, first } = await openSilent(fleet);
  await using server = await remoteOf(fleet);
  const [own] = outcomesOf(first, "sent");
  const words = Array.from({ length: MAX_REPORT_ITEMS - 1 }, (_, no) => (
    {
      ...own!,
      token: String(no).padStart(32, "0"),
      outcome: no % 2 === 0 ? "void" as const : "failed" as const,
    }
  ));
  const results = await reportItems(server.fleet, site, [own!, ...words]);
  assert.deepEqual([results[0], ...new Set(results.slice(1))], ["applied", "stale"]);
  const roundTrips = server.taken();
  assert.ok(roundTrips <= 60, `${roundTrips} round trips`);
});

Deno.test("reportOutcomes() keeps the late outcomes taken so far when its connection ends midway", async () => {
  await using fleet = await openFleet();
  const { campaign, site, items } = await openManySilent(fleet, 120);
  const { db } = fleet.ctx;
  let transactions = 0;
  const transaction = async (mode: "write") => {
    // The site has connected again: the rest of this frame is not applied.
    if (++transactions === 2) await connectSite(fleet.ctx, site.site);
    return await db.transaction(mode);
  };
  const cut = { execute: db.execute.bind(db), batch: db.batch.bind(db), transaction };
  const ctx = { ...fleet.ctx, db: cut as unknown as typeof db };
  await assert.rejects(reportItems({ ...fleet, ctx }, site, items), SupersededError);
  const sent = (await fleet.states(campaign.id)).filter((state) => state === "sent").length;
  assert.ok(sent > 0 && sent < items.length, `${sent}`);
  await fleet.reconnect(site);
  const results = await reportItems(fleet, site, items);
  assert.equal(results.filter((result) => result === "known").length, sent);
  assert.deepEqual(new Set(await fleet.states(campaign.id)), new Set(["sent"]));
  await consistent(fleet);
});

Deno.test("reportOutcomes() judges a second outcome of a delivery after the first has moved it (rule 12)", async (t) => {
  const cases = {
    "the first reached nobody": {
      words: ["void", "failed"],
      results: ["applied", "applied"],
      state: "failed",
    },
    // If one look found it together with the first, the second would return the room of a message that was sent.
    "the first was sent": { words: ["sent", "void"], results: ["applied", "known"], state: "sent" },
  } as const;
  for (const [name, { words, results, state }] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const { site, first, resolve, row } = await openSilent(fleet);
      await resolve("resend");
      const second = await take(fleet, site);
      fleet.pass(SILENCE_LIMIT_MS + 1);
      await settleSilent(fleet.ctx);
      const both = [first, second].flatMap((lease, no) => outcomesOf(lease, words[no]!));
      assert.deepEqual(await reportItems(fleet, site, both), results);
      assert.equal((await row()).state, state);
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() of a late success covers an empty balance, which stays at zero (rule 13)", async () => {
  await using fleet = await openFleet();
  const { campaign, site, first, resolve } = await openSilent(fleet);
  await resolve("failed");
  // The refunded unit is used by another campaign.
  await sendNew(fleet, 1, campaign.client);
  assert.equal(await balanceOf(fleet, campaign.client), 0);

  await report(fleet, site, first, "sent");
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  const { rows } = await fleet.ctx.db.execute(
    "SELECT kind, delta FROM quota_ledger ORDER BY id DESC LIMIT 2",
  );
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { kind: "charge", delta: -1 },
    { kind: "cover", delta: 1 },
  ]);
  await consistent(fleet);
});

Deno.test("reportOutcomes() of an earlier attempt's success recalls the resend from the site that holds it (rule 12)", async () => {
  await using fleet = await openFleet();
  const { site, first, resolve, row } = await openSilent(fleet);
  await resolve("resend");
  const other = await fleet.addSite();
  const second = await take(fleet, other);
  assert.equal(second.items[0].attempt, 2);
  assert.deepEqual(await report(fleet, site, first, "sent"), ["applied"]);
  assert.deepEqual(await recalled(fleet), [
    { site: other.site, token: second.token, phones: [second.items[0].phone] },
  ]);
  assert.deepEqual(await report(fleet, other, second, "void"), ["applied"]);
  assert.deepEqual(await row(), { state: "sent", by: 1, reason: null });
});

Deno.test("reportOutcomes() resolves one earlier attempt only, also when one site made them all (rule 12)", async (t) => {
  const orders = { "the first is heard first": [0, 1], "the second is heard first": [1, 0] } as const;
  for (const [name, order] of Object.entries(orders)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const { campaign, site, first, resolve, row } = await openSilent(fleet);
      await resolve("resend");
      const second = await take(fleet, site);
      fleet.pass(SILENCE_LIMIT_MS + 1);
      await settleSilent(fleet.ctx);
      await resolve("resend");
      await report(fleet, site, await take(fleet, site), "failed");
      const inDoubt = { state: "unknown", by: 5, reason: "earlier_attempt_open" };
      assert.deepEqual(await row(), inDoubt);
      const [one, other] = order.map((no) => [first, second][no]!);
      assert.deepEqual(await report(fleet, site, one!, "void"), ["applied"]);
      assert.deepEqual(await row(), inDoubt, "the other may have been tapped");
      assert.equal(await balanceOf(fleet, campaign.client), 0);
      assert.deepEqual(await report(fleet, site, other!, "void", { reason: "recalled" }), ["applied"]);
      assert.deepEqual(await row(), { state: "failed", by: 1, reason: "recalled" });
      assert.equal(await balanceOf(fleet, campaign.client), 1);
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() treats an attempt that its site ended as resolved, whatever state its row has (rule 12)", async () => {
  await using fleet = await openFleet();
  const { site, first, resolve, row } = await openSilent(fleet);
  await resolve("resend");
  const other = await fleet.addSite();
  for (let attempt = 2; attempt <= 3; attempt++) {
    await report(fleet, other, await take(fleet, other), "failed");
    assert.deepEqual(await row(), { state: "unknown", by: 5, reason: "earlier_attempt_open" });
    if (attempt === 2) await resolve("resend");
  }
  assert.deepEqual(await report(fleet, site, first, "void", { reason: "recalled" }), ["applied"]);
  assert.deepEqual(await row(), { state: "failed", by: 1, reason: "recalled" }, "no other is in doubt");
  await consistent(fleet);
});

Deno.test("reportOutcomes() of an untapped earlier attempt leaves the later one, which may have been tapped (rule 12)", async () => {
  await using fleet = await openFleet();
  const { campaign, site, first, resolve, row } = await openSilent(fleet);
  await resolve("resend");
  const second = await take(fleet, await fleet.addSite());
  assert.equal(second.items.length, 1);
  fleet.pass(SILENCE_LIMIT_MS + 1);
  await settleSilent(fleet.ctx);
  assert.deepEqual(await report(fleet, site, first, "void"), ["applied"]);
  assert.deepEqual(await row(), { state: "unknown", by: 3, reason: "site_silent" });
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  await consistent(fleet);
});

Deno.test("reportOutcomes() repeated does not undo a person's later decision (rule 11)", async (t) => {
  for (const outcome of ["failed", "void"] as const) {
    await t.step(outcome, async () => {
      await using fleet = await openFleet();
      const { campaign, first, site, resolve, row } = await openSilent(fleet);
      await resolve("resend");
      const other = await fleet.addSite();
      const second = await take(fleet, other);
      fleet.pass(SILENCE_LIMIT_MS + 1);
      await settleSilent(fleet.ctx);
      assert.deepEqual(await report(fleet, other, second, outcome), ["applied"]);
      assert.deepEqual(await row(), { state: "unknown", by: 5, reason: "earlier_attempt_open" });
      await resolve("sent");
      // The answer to the first report was lost.
      assert.deepEqual(await report(fleet, other, second, outcome), ["known"]);
      assert.deepEqual([(await row()).state, (await row()).by], ["sent", 2]);
      assert.deepEqual(await report(fleet, site, first, "sent"), ["applied"]);
      assert.equal(await statusOf(fleet, campaign), "completed");
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() of a success replaces a person's `failed`, though the site reported unknown before (rule 11)", async () => {
  await using fleet = await openFleet();
  const { campaign, first, site, resolve, row } = await openSilent(fleet);
  assert.deepEqual(await report(fleet, site, first, "unknown"), ["applied"]);
  await resolve("failed");
  assert.deepEqual(await report(fleet, site, first, "unknown"), ["known"]);
  assert.deepEqual(await report(fleet, site, first, "sent"), ["applied"]);
  assert.deepEqual(await row(), { state: "sent", by: 1, reason: null });
  assert.equal(await statusOf(fleet, campaign), "completed");
  await consistent(fleet);
});

Deno.test("reportOutcomes() keeps a bounded number of claims under foreign tokens, and alerts once a minute", async () => {
  await using fleet = await openFleet();
  const { id, phones } = await sendNew(fleet, 1);
  const site = await fleet.addSite(1);
  const claim = (no: number): ReportItem => ({
    token: no.toString(16).padStart(32, "0"),
    campaign: id,
    phone: phones[0]!,
    attempt: 1,
    outcome: "sent",
    temporary: false,
    reason: null,
    account: null,
    tappedAt: null,
  });
  const claimMany = (from: number) =>
    reportItems(fleet, site, Array.from({ length: 60 }, (_, no) => claim(from + no)));
  const count = async (sql: string) => Number((await fleet.one(`SELECT count(*) AS n FROM ${sql}`)).n);
  for (let round = 0; round < 4; round++) await claimMany(1_000 * round);
  const kept = await count("attempts");
  assert.ok(kept > 0 && kept <= 70, `${kept} of 240 claims are kept`);
  assert.equal(await count("activity WHERE code = 'late_sent'"), 1);
  fleet.pass(60_000);
  await claimMany(9_000);
  assert.equal(await count("activity WHERE code = 'late_sent'"), 2);
  assert.equal(await count("attempts"), kept);
  // A site that floods leaves room for the reports of another.
  const other = await fleet.addSite(1);
  await reportItems(fleet, other, [claim(1)]);
  assert.equal(await count(`attempts WHERE site = ${other.site}`), 0, "the same words were kept before");
  await reportItems(fleet, other, [claim(1_000_000)]);
  assert.equal(await count(`attempts WHERE site = ${other.site}`), 1);
});

Deno.test("reportOutcomes() yields to the event loop between slices of outcomes that need a decision", async () => {
  await using fleet = await openFleet();
  const { id, phones } = await sendNew(fleet, 250);
  const site = await fleet.addSite(1);
  const items = phones.map((phone, no): ReportItem => ({
    token: no.toString(16).padStart(32, "0"),
    campaign: id,
    phone,
    attempt: 1,
    outcome: "sent",
    temporary: false,
    reason: null,
    account: null,
    tappedAt: null,
  }));
  let turns = 0;
  let isDone = false;
  const watching = (async () => {
    for (; !isDone; turns++) await new Promise((turned) => setTimeout(turned, 0));
  })();
  assert.deepEqual(new Set(await reportItems(fleet, site, items)), new Set(["stale"]));
  isDone = true;
  await watching;
  assert.ok(turns >= 5, `${turns} turns`);
});
