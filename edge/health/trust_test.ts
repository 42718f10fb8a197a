import assert from "node:assert/strict";
import { readAlerts } from "../admin/alerts.ts";
import { readFleet } from "../campaigns/fleet.ts";
import { recordInventory } from "../devices/record_inventory.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { acknowledge, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { addStranger, sendAll, setRules } from "../testing/rules.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Leases on all devices at once until nothing comes; returns how many rows the site got. */
async function takeAll(fleet: Fleet, site: TestSite): Promise<number> {
  let got = 0;
  for (let lease = await pull(fleet, site, 3); lease !== null; lease = await pull(fleet, site, 3)) {
    await acknowledge(fleet, site, lease.token);
    await report(fleet, site, lease, "sent");
    got += lease.items.length;
    fleet.pass(3_000);
  }
  return got;
}

Deno.test("leaseDeliveries() gives a site's unconfirmed accounts forty deliveries a day together, also without warm-up", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100 });
  const campaign = await sendNew(fleet, 400);
  const site = await addStranger(fleet, 50);
  assert.equal(await takeAll(fleet, site), 40);
  fleet.pass(DAY_MS);
  assert.equal(await takeAll(fleet, site), 40, "the next day has forty again");
  assert.equal((await fleet.states(campaign.id)).filter((state) => state === "sent").length, 80);
});

Deno.test("leaseDeliveries() gives confirmed and trusted accounts of the same site their whole day", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, {
    warmupEnabled: false,
    hourlyPercent: 100,
    maxMessagesPerDay: 50,
    unconfirmedPerDay: 4,
  });
  await sendNew(fleet, 400);
  const site = await addStranger(fleet, 3);
  await fleet.ctx.db.execute("UPDATE accounts SET confirmed_at = 1 WHERE id = 1");
  await fleet.ctx.db.execute("UPDATE accounts SET trusted = 1 WHERE id = 2");
  assert.equal(await takeAll(fleet, site), 50 + 50 + 4);
});

Deno.test("leaseDeliveries() gives work to the phones after those whose shared day is full", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, unconfirmedPerDay: 1 });
  await sendNew(fleet, 10);
  const site = await addStranger(fleet, 4);
  await fleet.ctx.db.execute("UPDATE accounts SET trusted = 1 WHERE id IN (2, 4)");
  const lease = await pull(fleet, site, 1);
  const accounts = lease!.items.map(({ account }) => account.split("/")[0]);
  assert.deepEqual(accounts, [0, 1, 3].map((index) => site.devices[index]));
});

Deno.test("leaseDeliveries() gives the accounts of the simulated site their whole day", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, maxMessagesPerDay: 90 });
  await sendNew(fleet, 100);
  const site = await fleet.addSite(0);
  await fleet.ctx.db.execute("UPDATE sites SET simulated = 1");
  site.devices.push("SIM1");
  await recordInventory(fleet.ctx, site, inventoryOf(site));
  assert.equal(await takeAll(fleet, site), 90);
  await recordInventory(fleet.ctx, site, inventoryOf(site, "+972540000001"));
  await recordInventory(fleet.ctx, site, inventoryOf(site, "+972540000002"));
  assert.equal((await fleet.one("SELECT trusted FROM accounts")).trusted, 1, "whatever number it shows");
});

Deno.test("recordInventory() ends the trust in an account when its app shows another number", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(1);
  await recordInventory(fleet.ctx, site, inventoryOf(site, "+972540000001"));
  await fleet.ctx.db.execute("UPDATE accounts SET trusted = 1, confirmed_at = 1");
  await recordInventory(fleet.ctx, site, inventoryOf(site, "+972540000002"));
  assert.deepEqual(await fleet.one("SELECT trusted, confirmed_at FROM accounts"), {
    trusted: 0,
    confirmed_at: null,
  });
});

Deno.test("leaseDeliveries() counts in the shared day what an account sent before its trust ended", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, unconfirmedPerDay: 4 });
  await sendNew(fleet, 20);
  const site = await fleet.addSite(1);
  // Known to the site from the day before, they do not count as given today.
  await report(fleet, site, await take(fleet, site, 3), "void");
  fleet.pass(DAY_MS);
  await sendAll(fleet, site, { most: 3 });
  await recordInventory(fleet.ctx, site, inventoryOf(site, "+972540000001"));
  await recordInventory(fleet.ctx, site, inventoryOf(site, "+972540000002"));
  assert.equal(await takeAll(fleet, site), 1);
});

Deno.test("readAlerts() and readFleet() show that accounts wait for confirmation once their shared day is full", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, unconfirmedPerDay: 2 });
  await sendNew(fleet, 10);
  const site = await addStranger(fleet, 2);
  const codes = async () => (await readAlerts(fleet.ctx)).items.map(({ code }) => code);
  assert.ok(!(await codes()).includes("accounts_unconfirmed"));
  assert.equal((await readFleet(fleet.ctx)).waitsForConfirmation, false);
  assert.equal(await sendAll(fleet, site), 2);
  assert.ok((await codes()).includes("accounts_unconfirmed"));
  const { waitsForConfirmation, devices } = await readFleet(fleet.ctx);
  assert.deepEqual([waitsForConfirmation, devices.all, devices.withDay], [true, 2, 0]);
});

function inventoryOf(site: TestSite, ownNumber: string | null = null) {
  return {
    devices: site.devices.map((device) => ({
      device,
      address: "usb:1",
      model: "Pixel",
      androidVersion: "14",
      state: "online" as const,
      batteryPercent: 80,
      proofAt: 1,
      addresses: [],
      stateDetail: null,
    })),
    accounts: site.devices.map((device) => ({
      account: `${device}/com.whatsapp/0`,
      state: "ok" as const,
      appVersion: "2.26.1",
      firstInstalledAt: 0,
      userKind: null,
      captions: null,
      ownNumber,
    })),
  };
}

Deno.test("leaseDeliveries() counts rows that unconfirmed accounts return: a site sees at most forty", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100 });
  const campaign = await sendNew(fleet, 200);
  const site = await addStranger(fleet, 20);
  let seen = 0;
  for (let round = 0; round < 10; round++) {
    const lease = await pull(fleet, site, 3);
    if (lease === null) break;
    await acknowledge(fleet, site, lease.token);
    await report(fleet, site, lease, "void", { reason: "draining" });
    seen += lease.items.length;
  }
  assert.equal(seen, 40);
  assert.ok((await fleet.states(campaign.id)).every((state) => state === "queued"));
});
