/** Phones that were not tried get no marketing at a site that asks for rehearsals, and everything else as before. */
import assert from "node:assert/strict";
import type { Trial } from "shared/agent_protocol.ts";
import { capacityArgs, capacityTables } from "../health/capacity.ts";
import { readFleet } from "../campaigns/fleet.ts";
import { statement } from "../db/statement.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { pull, report, sendNew } from "../testing/queue_acts.ts";
import { sendMarketing, setRules } from "../testing/rules.ts";

/** Opens a fleet without sending hours, and a site that asks for rehearsals, with a phone for each trial. */
async function openAsking(trials: (Trial | undefined)[]) {
  const fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false, frequencyCapDays: 0 });
  const site = await fleet.addSite(trials.length);
  await fleet.show(site, 1, trials);
  return { fleet, site };
}

async function devicesServed(fleet: Fleet, site: TestSite): Promise<string[]> {
  const lease = await pull(fleet, site);
  return [...new Set(lease?.items.map(({ account }) => account.split("/")[0]!))].sort();
}

Deno.test("leaseDeliveries() leases marketing to tried phones alone, where the site asks for it", async () => {
  const { fleet, site } = await openAsking(["none", "rehearsed", "proven", undefined]);
  await using _ = fleet;
  const [, rehearsed, proven, older] = site.devices;
  await sendMarketing(fleet, 40);
  assert.deepEqual(await devicesServed(fleet, site), [rehearsed, proven, older]);
});

Deno.test("leaseDeliveries() leases service to every phone, and marketing to all where the site does not ask", async () => {
  const { fleet, site } = await openAsking(["none", "rehearsed"]);
  await using _ = fleet;
  await sendNew(fleet, 40);
  assert.deepEqual(await devicesServed(fleet, site), site.devices);
  await using other = await openFleet();
  await setRules(other, { sendingHoursEnforced: false });
  const asked = await other.addSite(2);
  await other.show(asked, 1, ["none", "none"]);
  await sendMarketing(other, 40);
  assert.deepEqual(await devicesServed(other, asked), []);
  await other.ctx.db.execute("UPDATE sites SET asks_rehearsal = 0");
  assert.deepEqual(await devicesServed(other, asked), asked.devices);
});

Deno.test("leaseDeliveries() passes over marketing that no phone of the pull may send, with a picture or without", async () => {
  const { fleet, site } = await openAsking(["none", "none"]);
  await using _ = fleet;
  const marketing = await sendMarketing(fleet, 10);
  const service = await sendNew(fleet, 10);
  assert.equal((await pull(fleet, site, 1))?.campaign, service.id);
  await fleet.ctx.db.executeMultiple(`
    INSERT INTO images (sha256, media_type, bytes, width, height, created_at)
      VALUES ('abc', 'image/png', x'00', 1, 1, 0);
    UPDATE campaigns SET image = 'abc' WHERE id = ${marketing.id};
    UPDATE users SET lease_turn = 0;`);
  // The tried phone's app loses captions, and the other one is not tried.
  await fleet.show(site, 1, ["none", "rehearsed"]);
  await fleet.ctx.db.execute("UPDATE accounts SET captions = 0 WHERE key LIKE '%D2/%'");
  assert.equal((await pull(fleet, site, 1))?.campaign, service.id);
});

Deno.test("a phone whose sent messages the database knows needs no rehearsal, and a restored one learns the others again", async () => {
  const { fleet, site } = await openAsking(["proven"]);
  await using _ = fleet;
  await sendMarketing(fleet, 20);
  await report(fleet, site, (await pull(fleet, site, 1))!, "sent");
  // Its journal was lost: the site has no proof any more, and the edge has.
  await fleet.show(site, 1, ["none"]);
  fleet.pass(60_000);
  assert.deepEqual(await devicesServed(fleet, site), site.devices);
  // The database knows of no send and of no trial.
  await fleet.ctx.db.executeMultiple(`
    UPDATE deliveries SET state = 'queued' WHERE state = 'leased';
    UPDATE accounts SET last_sent_at = NULL; UPDATE devices SET trial = 'none'`);
  assert.deepEqual(await devicesServed(fleet, site), []);
  await fleet.show(site, 1, ["rehearsed"]);
  assert.deepEqual(await devicesServed(fleet, site), site.devices);
});

Deno.test("an agent that reports no trials is not asked, also after a newer one", async () => {
  const { fleet, site } = await openAsking(["none"]);
  await using _ = fleet;
  await sendMarketing(fleet, 10);
  assert.deepEqual(await devicesServed(fleet, site), []);
  await fleet.reconnect(site, { features: ["follows_stops"] });
  assert.deepEqual(await devicesServed(fleet, site), site.devices);
});

Deno.test("readFleet() counts for marketing only the phones that owe no rehearsal, as the claim does", async () => {
  const { fleet, site } = await openAsking(["none", "rehearsed", undefined]);
  await using _ = fleet;
  const state = await readFleet(fleet.ctx);
  assert.deepEqual([state.devices.all, state.triedDevices.all, state.triedPictureDevices.all], [3, 2, 2]);
  assert.ok(state.triedCapacity.leftToday < state.capacity.leftToday);
  const { rows } = await fleet.ctx.db.execute(
    statement(
      `WITH ${
        capacityTables("a.site = :site")
      } SELECT d.key FROM device_rooms r JOIN devices d ON d.id = r.device
       WHERE NOT r.owes_rehearsal ORDER BY d.key`,
      { site: site.site, ...capacityArgs(fleet.ctx.now()) },
    ),
  );
  await sendMarketing(fleet, 40);
  assert.deepEqual(await devicesServed(fleet, site), rows.map(({ key }) => key));
});
