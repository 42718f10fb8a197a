import assert from "node:assert/strict";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { balanceOf, pull, recalled, reportItems, sendNew, take } from "../testing/queue_acts.ts";
import { auditQueue } from "../queue/audit.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { renewGeneration } from "./generation.ts";
import { type OutcomesFrame, takeOutcomes } from "./outcomes.ts";
import { writeOffSite } from "./write_off_site.ts";

type Told = Partial<OutcomesFrame["items"][number]>;

async function tell(fleet: Fleet, site: TestSite, campaign: { id: number }, items: Told[], last = true) {
  const { value } = await fleet.one("SELECT value FROM system WHERE key = 'generation'");
  await takeOutcomes(fleet.ctx, site, {
    type: "outcomes",
    generation: String(value),
    last,
    items: items.map((item, index) => ({
      campaign: campaign.id,
      phone: `+${972540000001 + index}`,
      token: "c".repeat(32),
      attempt: 3,
      outcome: "sent",
      account: null,
      at: 1,
      ...item,
    })),
  });
}

Deno.test("leaseDeliveries() waits until every site has answered a restored database (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 6);
  const [one, two] = [await fleet.addSite(), await fleet.addSite()];
  await renewGeneration(fleet.ctx);

  assert.equal(await pull(fleet, one), null);
  await tell(fleet, one, campaign, [], false);
  await tell(fleet, one, campaign, []);
  assert.equal(await pull(fleet, one), null);
  await writeOffSite(fleet.ctx, two.site);
  assert.equal((await pull(fleet, one))?.items.length, 3);
});

Deno.test("takeOutcomes() makes sent what a site sent, and unknown what it may have sent (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 5);
  const site = await fleet.addSite();
  await renewGeneration(fleet.ctx);
  await tell(fleet, site, campaign, [
    { outcome: "sent" },
    { outcome: "unknown" },
    { outcome: "tapping" },
    { outcome: "failed" },
    { outcome: "void" },
  ]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "unknown", "unknown", "queued", "queued"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM attempts")).n, 5);
  // The next attempt is counted on from the lost time.
  assert.equal((await take(fleet, site)).items[0].attempt, 4);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("reportOutcomes() hears the end of a tap that a restored database learnt of (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4);
  const site = await fleet.addSite();
  await renewGeneration(fleet.ctx);
  await tell(fleet, site, campaign, [{ outcome: "tapping" }, { outcome: "tapping" }, { outcome: "sent" }]);
  const [one, two, three] = campaign.phones.map((phone) => ({
    token: "c".repeat(32),
    campaign: campaign.id,
    phone,
    attempt: 3,
    outcome: "sent" as const,
    temporary: false,
    reason: null,
    account: null,
    tappedAt: 1,
  }));
  const results = await reportItems(fleet, site, [one, { ...two, outcome: "void" }, three]);
  assert.deepEqual(results, ["applied", "applied", "known"]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "queued", "sent", "queued"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'alert'")).n, 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("renewGeneration() keeps the numbers of lost campaigns from being given again (rule 17)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(2);
  const lost = await fleet.addCampaign(client, 1);
  const site = await fleet.addSite();
  // The backup is older than the campaign.
  await fleet.ctx.db.batch([
    `DELETE FROM deliveries WHERE campaign = ${lost.id}`,
    `DELETE FROM campaigns WHERE id = ${lost.id}`,
    `UPDATE sqlite_sequence SET seq = ${lost.id - 1} WHERE name = 'campaigns'`,
  ], "write");
  await renewGeneration(fleet.ctx);
  const later = await fleet.addCampaign(client, 1);
  await tell(fleet, site, lost, [{ outcome: "sent" }]);
  assert.deepEqual(await fleet.states(later.id), ["queued"]);
});

Deno.test("takeOutcomes() of sent beats every state, charges what was refunded and recalls what is held", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
  const held = await take(fleet, holder, 1);
  await cancelCampaign(fleet.ctx, { id: 0, role: "admin" }, campaign.id);
  assert.equal(await balanceOf(fleet, campaign.client), 2);

  await tell(fleet, site, campaign, [{ outcome: "sent" }, { outcome: "sent" }]);
  assert.deepEqual((await fleet.states(campaign.id)).slice(0, 2), ["sent", "sent"]);
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  assert.ok((await recalled(fleet)).some((one) => one.token === held.token));
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() passes over an answer to another generation", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const frame = { campaign: campaign.id, phone: campaign.phones[0], token: "c".repeat(32), attempt: 1 };
  await takeOutcomes(fleet.ctx, site, {
    type: "outcomes",
    generation: "older",
    last: true,
    items: [{ ...frame, outcome: "sent", account: null, at: 1 }],
  });
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
});
