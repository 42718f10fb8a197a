import assert from "node:assert/strict";
import { SILENCE_LIMIT_MS } from "shared/lease.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { balanceOf, recalled, report, sendNew, statusOf, take } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import { resolveDeliveries } from "./resolve.ts";
import { settleSilent } from "./settle_silent.ts";

/** One delivery that its site holds silently for a day, so that it is unknown by the clock. */
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

Deno.test("reportOutcomes() of a late truth judges anew how the campaign ended (rule 11)", async (t) => {
  const cases = [
    ["sent", "sent", "completed"],
    ["failed", "failed", "failed"],
    ["unknown", "unknown", "completed_with_errors"],
    // Its campaign had ended by then, so it is not queued again.
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

Deno.test("reportOutcomes() takes many late outcomes in several transactions: a remote database ends a long one", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 12);
  const site = await fleet.addSite(6);
  const lease = await take(fleet, site);
  assert.equal(lease.items.length, 12);
  fleet.pass(SILENCE_LIMIT_MS + 1);
  await settleSilent(fleet.ctx);
  const { db } = fleet.ctx;
  let transactions = 0;
  const transaction = (mode: "write") => (transactions++, db.transaction(mode));
  const counted = { execute: db.execute.bind(db), batch: db.batch.bind(db), transaction };
  const ctx = { ...fleet.ctx, db: counted as unknown as typeof db };
  assert.deepEqual(await report({ ...fleet, ctx }, site, lease, "sent"), lease.items.map(() => "applied"));
  assert.equal(transactions, 2);
  assert.deepEqual(await fleet.states(campaign.id), lease.items.map(() => "sent"));
  await consistent(fleet);
});

Deno.test("reportOutcomes() of a late success covers an empty balance, so that nobody's falls below zero (rule 13)", async () => {
  await using fleet = await openFleet();
  const { campaign, site, first, resolve } = await openSilent(fleet);
  await resolve("failed");
  // The refunded unit is spent on another campaign.
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

Deno.test("reportOutcomes() ends the doubt of one earlier attempt alone, also where one site made them all (rule 12)", async (t) => {
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

Deno.test("reportOutcomes() of an untapped earlier attempt says nothing of the later one, which may have been tapped (rule 12)", async () => {
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

Deno.test("reportOutcomes() told again takes back nothing that a person has decided since (rule 11)", async (t) => {
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
      // Its answer was lost.
      assert.deepEqual(await report(fleet, other, second, outcome), ["known"]);
      assert.deepEqual([(await row()).state, (await row()).by], ["sent", 2]);
      assert.deepEqual(await report(fleet, site, first, "sent"), ["applied"]);
      assert.equal(await statusOf(fleet, campaign), "completed");
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() of a success is believed after a person's failed, though the site said unknown before (rule 11)", async () => {
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
