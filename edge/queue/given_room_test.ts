/** What an account may be given in a day, whatever comes back of it. */
import assert from "node:assert/strict";
import { readAlerts } from "../admin/alerts.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { sendAll, setRules } from "../testing/rules.ts";
import { cancelCampaign } from "./cancel.ts";
import type { LeaseFrame } from "./lease.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";

/** The site gives back all its deliveries, as when its phones are unplugged. */
async function unplug(fleet: Fleet, site: TestSite): Promise<LeaseFrame> {
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "void");
  return lease;
}

/** Returns the deliveries given to all accounts today. */
async function givenToday({ one }: Fleet): Promise<unknown> {
  return (await one("SELECT sum(given) AS n FROM account_days")).n;
}

Deno.test("leaseDeliveries() continues with a site whose phone is often unplugged: a row leased again counts once", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, maxMessagesPerDay: 20 });
  await sendNew(fleet, 40);
  const site = await fleet.addSite(1);
  for (let times = 0; times < 100; times++) await unplug(fleet, site);
  assert.equal(await givenToday(fleet), 3);
  assert.equal(await sendAll(fleet, site), 20);
  assert.deepEqual((await readAlerts(fleet.ctx)).items, []);
});

Deno.test("leaseDeliveries() gives a phone its whole day after other sites took its returned work thirty times", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, maxMessagesPerDay: 20 });
  await sendNew(fleet, 200);
  const [site, other] = [await fleet.addSite(1), await fleet.addSite(10)];
  for (let times = 0; times < 30; times++) {
    const { items } = await unplug(fleet, site);
    const lease = await take(fleet, { ...other, devices: [other.devices[times % 10]!] });
    await report(fleet, other, lease, "sent");
    assert.deepEqual(lease.items.map(({ phone }) => phone), items.map(({ phone }) => phone));
  }
  assert.equal(await givenToday(fleet), 30 * 3 + 30 * 3);
  assert.equal(await sendAll(fleet, site), 20);
});

Deno.test("leaseDeliveries() does not count rows recalled by a pause, nor rows leased again after restart or resend", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100 });
  const { id, client } = await sendNew(fleet, 45);
  const owner = { ...client, role: "client" } as const;
  const site = await fleet.addSite(15);
  const held = await take(fleet, site);
  assert.equal(held.items.length, 45);
  await pauseCampaign(fleet.ctx, owner, id);
  await report(fleet, site, held, "void");
  await resumeCampaign(fleet.ctx, owner, id);
  assert.equal((await pull(fleet, site))?.items.length, 45);
  await fleet.reconnect(site);
  assert.equal(await sendAll(fleet, site, { outcome: "unknown" }), 45);
  await resolveDeliveries(fleet.ctx, client, id, { ids: "all", as: "resend" });
  assert.equal(await sendAll(fleet, site), 45);
  assert.equal(await givenToday(fleet), 0);
});

Deno.test("leaseDeliveries() continues after a client sent and cancelled a hundred campaigns: no account loses its day", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, maxMessagesPerDay: 20 });
  const site = await fleet.addSite(2);
  const client = await fleet.addClient(30);
  const owner = { ...client, role: "client" } as const;
  for (let times = 0; times < 100; times++) {
    const { id } = await sendNew(fleet, 6, client);
    const held = await take(fleet, site);
    await cancelCampaign(fleet.ctx, owner, id);
    await report(fleet, site, held, "void");
  }
  assert.equal(await givenToday(fleet), 0);
  assert.deepEqual((await readAlerts(fleet.ctx)).items, []);
  await sendNew(fleet, 30, client);
  assert.equal(await sendAll(fleet, site), 30);
});

Deno.test("leaseDeliveries() continues after a hundred pauses in which two sites exchange their rows", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, maxMessagesPerDay: 20 });
  const { id, client } = await sendNew(fleet, 40);
  const owner = { ...client, role: "client" } as const;
  const sites = [await fleet.addSite(1), await fleet.addSite(1)];
  for (let times = 0; times < 100; times++) {
    const held = [await take(fleet, sites[times % 2]!), await take(fleet, sites[(times + 1) % 2]!)];
    await pauseCampaign(fleet.ctx, owner, id);
    await report(fleet, sites[times % 2]!, held[0]!, "void");
    await report(fleet, sites[(times + 1) % 2]!, held[1]!, "void");
    await resumeCampaign(fleet.ctx, owner, id);
  }
  assert.equal(await givenToday(fleet), 0);
  assert.equal(await sendAll(fleet, sites[0]!), 20);
  assert.equal(await sendAll(fleet, sites[1]!), 20);
});
