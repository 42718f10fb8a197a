import assert from "node:assert/strict";
import type { Campaign } from "shared/http_api.ts";
import { watchCampaigns } from "../health/check_campaigns.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { sendAll, setRules } from "../testing/rules.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

async function campaign(house: AdminHouse, id: number): Promise<Campaign> {
  return await house.read(`/api/admin/campaigns/${id}`) as Campaign;
}

async function pass(house: AdminHouse, ms: number): Promise<void> {
  house.fleet.pass(ms);
  await house.fleet.ctx.db.execute(`UPDATE sites SET last_seen_at = ${house.fleet.ctx.now()}`);
}

Deno.test("a campaign's estimate follows the stated rule at first, then its measured pace, and ends when nothing can go", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(2);
  await setRules(fleet, { hourlyPercent: 100 });
  const { id } = await sendNew(fleet, 100);
  const begin = fleet.ctx.now();
  assert.deepEqual((await campaign(house, id)).estimate, { endsAt: begin + 300 * SECOND, by: "rule" });
  for (let minute = 0; minute < 3; minute++) {
    await watchCampaigns(fleet.ctx);
    await sendAll(fleet, site, { most: 10 });
    await pass(house, MINUTE);
  }
  await sendAll(fleet, site, { most: 10 });
  const { pace, estimate, counts } = await campaign(house, id);
  assert.ok(
    pace !== null && pace >= 10 && pace <= 30,
    `about ten to twelve every minute, with the first ones: ${pace}`,
  );
  assert.equal(estimate!.by, "pace");
  const minutesLeft = (estimate!.endsAt - fleet.ctx.now()) / MINUTE;
  assert.ok(
    Math.abs(minutesLeft - counts.queued / pace) < 0.1,
    `${counts.queued} at ${pace}: ${minutesLeft}`,
  );
  await fleet.ctx.db.execute("UPDATE devices SET state = 'offline'");
  assert.equal((await campaign(house, id)).estimate, null);
});

Deno.test("a ready campaign says when it would end at the present capacity, after what its client already sends", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  await fleet.addSite(1);
  await setRules(fleet, { maxMessagesPerDay: 100, hourlyPercent: 100, warmupEnabled: false });
  const { id: client } = await edge.addPerson();
  const endOf = async (id: number) => (await campaign(house, id)).estimate!.endsAt;
  const small = await makeCampaign(edge.ctx, { client, rows: { queued: 10 } });
  const large = await makeCampaign(edge.ctx, { client, rows: { queued: 150 } });
  assert.deepEqual((await campaign(house, small)).estimate, {
    endsAt: fleet.ctx.now() + 30 * SECOND,
    by: "capacity",
  });
  assert.ok(
    await endOf(large) - fleet.ctx.now() > 60 * MINUTE,
    "a phone's day is a hundred: the rest goes tomorrow",
  );
  await makeCampaign(edge.ctx, { client, status: "active", rows: { queued: 95 }, sendAt: fleet.ctx.now() });
  assert.ok(await endOf(small) - fleet.ctx.now() > 60 * MINUTE, "95 of today are taken");
});

Deno.test("GET /api/campaigns answers a running campaign's list again as time passes, and 304 in between", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const dana = await edge.addPerson();
  await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "active",
    rows: { queued: 3 },
    sendAt: edge.clock.now,
  });
  edge.clock.now += 30_000 - (edge.clock.now % 30_000);
  const first = await dana.ask("/api/campaigns");
  await first.body?.cancel();
  const headers = { "if-none-match": first.headers.get("etag")! };
  edge.clock.now += 29_000;
  assert.equal((await dana.ask("/api/campaigns", { headers })).status, 304);
  edge.clock.now += 2_000;
  assert.equal((await dana.ask("/api/campaigns", { headers })).status, 200, "estimates age");
});
