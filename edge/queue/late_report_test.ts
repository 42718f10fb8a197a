import assert from "node:assert/strict";
import { SILENCE_LIMIT_MS } from "shared/lease.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import {
  acknowledge,
  balanceOf,
  pull,
  recalled,
  report,
  sendNew,
  statusOf,
  take,
} from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import { cancelCampaign } from "./cancel.ts";
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

Deno.test("reportOutcomes() beats the clock: an unknown by silence becomes what its site says (rule 11)", async (t) => {
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
      assert.deepEqual(await report(fleet, site, first, outcome), ["applied"]);
      assert.deepEqual([(await row()).state, (await row()).by], [state, 1]);
      assert.equal(await statusOf(fleet, campaign), status);
      assert.deepEqual(await report(fleet, site, first, outcome), ["known"]);
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() of a void queues a silent row again while its campaign lives, and gives the cap back", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site, 1);
  fleet.pass(SILENCE_LIMIT_MS + 1);
  await settleSilent(fleet.ctx);
  await report(fleet, site, lease, "void");
  assert.deepEqual(await fleet.states(campaign.id), ["queued", "queued"]);
  assert.equal((await fleet.one("SELECT sum(used) AS used FROM account_days")).used, 0);
});

Deno.test("reportOutcomes() beats a person (rule 11), and money follows (rule 13)", async (t) => {
  const cases = [
    { person: "sent", outcome: "sent", state: "sent", balance: 0 },
    { person: "sent", outcome: "failed", state: "failed", balance: 1 },
    { person: "sent", outcome: "void", state: "failed", balance: 1 },
    { person: "failed", outcome: "sent", state: "sent", balance: 0 },
  ] as const;
  for (const { person, outcome, state, balance } of cases) {
    await t.step(`${person}, then ${outcome}`, async () => {
      await using fleet = await openFleet();
      const { campaign, site, first, resolve, row } = await openSilent(fleet);
      await resolve(person);
      assert.deepEqual(await row(), { state: person, by: 2, reason: "resolved_by_person" });
      assert.deepEqual(await report(fleet, site, first, outcome), ["applied"]);
      assert.deepEqual([(await row()).state, (await row()).by], [state, 1]);
      assert.equal(await balanceOf(fleet, campaign.client), balance);
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() leaves a person's failed alone unless the site says sent", async () => {
  await using fleet = await openFleet();
  const { site, first, resolve, row } = await openSilent(fleet);
  await resolve("failed");
  for (const outcome of ["failed", "void", "unknown"] as const) {
    assert.deepEqual(await report(fleet, site, first, outcome), ["known"]);
  }
  assert.equal((await row()).by, 2);
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

Deno.test("reportOutcomes() of an earlier attempt's success ends a resend that waits (rule 12)", async (t) => {
  await t.step("queued", async () => {
    await using fleet = await openFleet();
    const { site, first, resolve, row } = await openSilent(fleet);
    await resolve("resend");
    assert.deepEqual(await report(fleet, site, first, "sent"), ["applied"]);
    assert.deepEqual(await row(), { state: "sent", by: 1, reason: null });
    assert.equal(await pull(fleet, site), null);
    await consistent(fleet);
  });
  await t.step("offered", async () => {
    await using fleet = await openFleet();
    const { site, first, resolve, row } = await openSilent(fleet);
    await resolve("resend");
    const other = await fleet.addSite();
    const second = await pull(fleet, other);
    assert.ok(second);
    assert.deepEqual(await report(fleet, site, first, "sent"), ["applied"]);
    assert.equal((await row()).state, "sent");
    assert.deepEqual((await acknowledge(fleet, other, second.token)).items, []);
    await consistent(fleet);
  });
});

Deno.test("reportOutcomes() of an earlier attempt's success recalls an acknowledged resend, which lands on sent (rule 12)", async (t) => {
  for (const outcome of ["void", "failed", "unknown", "sent"] as const) {
    await t.step(outcome, async () => {
      await using fleet = await openFleet();
      const { site, first, resolve, row } = await openSilent(fleet);
      await resolve("resend");
      const other = await fleet.addSite();
      const second = await take(fleet, other);
      assert.equal(second.items[0].attempt, 2);

      assert.deepEqual(await report(fleet, site, first, "sent"), ["applied"]);
      assert.equal((await row()).state, "leased");
      assert.deepEqual(await recalled(fleet), [
        { site: other.site, token: second.token, phones: [second.items[0].phone] },
      ]);
      assert.deepEqual(await report(fleet, other, second, outcome), ["applied"]);
      assert.equal((await row()).state, "sent");
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() of a failed resend is unknown while the earlier attempt is open (rule 12)", async (t) => {
  for (const outcome of ["failed", "void"] as const) {
    await t.step(`then the earlier one says ${outcome}`, async () => {
      await using fleet = await openFleet();
      const { site, first, resolve, row, campaign } = await openSilent(fleet);
      await resolve("resend");
      const other = await fleet.addSite();
      const second = await take(fleet, other);
      await report(fleet, other, second, "failed");
      assert.deepEqual(await row(), { state: "unknown", by: 5, reason: "earlier_attempt_open" });
      assert.deepEqual(await report(fleet, other, second, "void"), ["known"]);

      assert.deepEqual(await report(fleet, site, first, "unknown"), ["known"]);
      assert.equal((await row()).state, "unknown");
      assert.deepEqual(await report(fleet, site, first, outcome), ["applied"]);
      assert.equal((await row()).state, "failed");
      assert.equal(await balanceOf(fleet, campaign.client), 1);
      await consistent(fleet);
    });
  }
});

Deno.test("reportOutcomes() of a success that cannot be is taken, charged and told to administrators", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await take(fleet, site, 1);
  await report(fleet, site, lease, "void");
  await cancelCampaign(fleet.ctx, { id: campaign.client.id, role: "client" }, campaign.id);
  assert.equal(await balanceOf(fleet, campaign.client), 2);

  // The row was counted as cancelled and is not flipped yet.
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued"]);
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 1);
  await consistent(fleet);
});
