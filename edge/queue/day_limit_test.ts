import assert from "node:assert/strict";
import { LEASE_TTL_MS } from "shared/lease.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { pull, report, take } from "../testing/queue_acts.ts";
import { passTo } from "../testing/rules.ts";
import { auditQueue } from "./audit.ts";
import { expireLeases } from "./expire_leases.ts";
import { pauseCampaign } from "./pause.ts";
import { sendCampaign } from "./send.ts";

async function sendLimited(fleet: Fleet, contacts: number, dayLimit: number) {
  const client = await fleet.addClient(contacts);
  const campaign = await fleet.addCampaign(client, contacts);
  await fleet.ctx.db.execute({
    sql: "UPDATE campaigns SET day_limit = ? WHERE id = ?",
    args: [dayLimit, campaign.id],
  });
  await sendCampaign(fleet.ctx, client, campaign.id);
  return { ...campaign, client };
}

async function daysOf(fleet: Fleet): Promise<number[]> {
  const { rows } = await fleet.ctx.db.execute("SELECT used FROM campaign_days ORDER BY day");
  return rows.map(({ used }) => Number(used));
}

Deno.test("a campaign with a limit a day is leased so far and no further, by several sites, until Israel's midnight", async () => {
  await using fleet = await openFleet();
  const [site, other] = [await fleet.addSite(2), await fleet.addSite(2)];
  await sendLimited(fleet, 12, 5);
  const first = await take(fleet, site, 2);
  assert.equal(first.items.length, 4);
  const second = await take(fleet, other, 5);
  assert.equal(second.items.length, 1, "one is left of the day");
  assert.equal(await pull(fleet, other), null);
  await report(fleet, site, first, "sent");
  await report(fleet, other, second, "sent");
  assert.deepEqual(await daysOf(fleet), [5]);
  passTo(fleet, "2026-11-22T00:00:00+02:00");
  for (const one of [site, other]) await fleet.reconnect(one);
  const next = await take(fleet, site, 10);
  assert.equal(next.items.length, 5);
  await report(fleet, site, next, "sent");
  assert.deepEqual(await daysOf(fleet), [5, 5]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("what was never tapped returns its part of the day: a void, an expired offer, a pause", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(4);
  const { id, client } = await sendLimited(fleet, 12, 4);
  const lease = await take(fleet, site, 1);
  assert.deepEqual([lease.items.length, await daysOf(fleet)], [4, [4]]);
  await report(fleet, site, lease, "void");
  assert.deepEqual(await daysOf(fleet), [0]);
  await pull(fleet, site, 1);
  assert.deepEqual(await daysOf(fleet), [4]);
  fleet.pass(LEASE_TTL_MS + 1);
  await fleet.reconnect(site);
  await expireLeases(fleet.ctx);
  assert.deepEqual(await daysOf(fleet), [0]);
  await pull(fleet, site, 1);
  await pauseCampaign(fleet.ctx, { ...client, role: "client" }, id);
  assert.deepEqual(await daysOf(fleet), [0]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("a failed row keeps its part of the day, and a campaign without a limit counts nothing", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(4);
  await sendLimited(fleet, 4, 2);
  const lease = await take(fleet, site, 1);
  await report(fleet, site, lease, "failed");
  assert.deepEqual(await daysOf(fleet), [2]);
  const client = await fleet.addClient(10);
  const plain = await fleet.addCampaign(client, 3);
  await sendCampaign(fleet.ctx, client, plain.id);
  assert.equal((await take(fleet, site, 2)).campaign, plain.id, "a full day holds up nobody else");
  assert.deepEqual(await daysOf(fleet), [2]);
});
