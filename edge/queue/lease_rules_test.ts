/** The conditions that the claim checks before it leases: hours, pictures, warm-up and the share of an hour. */
import assert from "node:assert/strict";
import { MAX_VALID_MS } from "shared/lease.ts";
import { type Fleet, openFleet, START, type TestClient } from "../testing/fleet.ts";
import { acknowledge, pull, report, sendNew, type SentCampaign, take } from "../testing/queue_acts.ts";
import { passTo, sendAll, sendMarketing, setRules } from "../testing/rules.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

Deno.test("leaseDeliveries() leases marketing only within the sending hours, and service before it (I6)", async () => {
  await using fleet = await openFleet();
  const marketing = await sendMarketing(fleet, 3);
  const site = await fleet.addSite(1);
  assert.equal(await pull(fleet, site), null, "it is the Sabbath");
  const service = await sendNew(fleet, 1);
  assert.equal(
    (await take(fleet, site)).campaign,
    service.id,
    "an older campaign that waits holds up nobody",
  );

  passTo(fleet, "2026-11-22T08:59:59+02:00");
  assert.equal(await pull(fleet, site), null);
  passTo(fleet, "2026-11-22T09:00:00+02:00");
  assert.equal((await pull(fleet, site, 1))?.campaign, marketing.id);
  passTo(fleet, "2026-11-27T13:00:00+02:00");
  await fleet.reconnect(site);
  assert.equal(await pull(fleet, site), null, "Friday at one");
  await setRules(fleet, { sendingHoursEnforced: false });
  assert.equal((await pull(fleet, site))?.campaign, marketing.id);
});

Deno.test("leaseDeliveries() follows the sending hours of the settings", async () => {
  await using fleet = await openFleet();
  await sendMarketing(fleet, 3);
  await setRules(fleet, { sendingOpensAt: 11, sendingClosesAt: 16, fridayClosesAt: 15 });
  const site = await fleet.addSite(1);
  const leases = async (moment: string) => {
    passTo(fleet, moment);
    const lease = await pull(fleet, site, 1);
    if (lease !== null) await report(fleet, site, lease, "void");
    return lease !== null;
  };
  assert.ok(!await leases("2026-11-22T10:59:59+02:00"));
  assert.ok(await leases("2026-11-22T11:00:00+02:00"));
  assert.ok(await leases("2026-11-22T15:59:59+02:00"));
  assert.ok(!await leases("2026-11-22T16:00:00+02:00"));
  assert.ok(await leases("2026-11-27T14:59:59+02:00"));
  assert.ok(!await leases("2026-11-27T15:00:00+02:00"));
});

Deno.test("acknowledgeLease() confirms marketing until the sending hours end, and omits what came too late (rule 15)", async () => {
  await using fleet = await openFleet();
  await sendMarketing(fleet, 4);
  const [site, slow] = [await fleet.addSite(1), await fleet.addSite(1)];
  passTo(fleet, "2026-11-22T19:40:00+02:00");
  const lease = await pull(fleet, site, 1);
  const late = await pull(fleet, slow, 1);
  assert.ok(lease && late);
  assert.deepEqual((await acknowledge(fleet, site, lease.token)).items.map((item) => item.validMs), [
    MAX_VALID_MS,
  ]);
  passTo(fleet, "2026-11-22T19:59:30+02:00");
  assert.deepEqual((await acknowledge(fleet, site, lease.token)).items.map((item) => item.validMs), [30_000]);
  passTo(fleet, "2026-11-22T20:00:00+02:00");
  assert.deepEqual((await acknowledge(fleet, site, lease.token)).items.map((item) => item.validMs), [0]);
  assert.deepEqual(
    (await acknowledge(fleet, slow, late.token)).items,
    [],
    "nothing of it is confirmed any more",
  );
  const row = await fleet.one("SELECT count(*) AS n FROM deliveries WHERE acked_at IS NOT NULL");
  assert.equal(row.n, 1);
});

Deno.test("leaseDeliveries() spreads a day: a share in each clock hour, and no more than the day in all (I6)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 200);
  await setRules(fleet, { maxMessagesPerDay: 40 });
  const site = await fleet.addSite(1);
  const hours: number[] = [];
  for (let hour = 0; hour < 6; hour++) {
    hours.push(await sendAll(fleet, site));
    fleet.pass(HOUR_MS);
  }
  assert.deepEqual(hours, [10, 10, 10, 10, 0, 0]);
});

Deno.test("leaseDeliveries() returns an hour's room with a delivery that was never tapped", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  await setRules(fleet, { maxMessagesPerDay: 20 });
  const site = await fleet.addSite(1);
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "void");
  assert.equal(await sendAll(fleet, site), 5);
  fleet.pass(HOUR_MS);
  const old = await take(fleet, site);
  fleet.pass(HOUR_MS);
  await report(fleet, site, old, "void");
  assert.equal(await sendAll(fleet, site), 5, "what another hour took is not this hour's");
});

Deno.test("leaseDeliveries() does not return room to this hour for a row leased in another", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  await setRules(fleet, { maxMessagesPerDay: 20 });
  const site = await fleet.addSite(1);
  const old = await take(fleet, site, 1);
  fleet.pass(HOUR_MS);
  assert.equal(await sendAll(fleet, site, { most: 2 }), 2);
  await report(fleet, site, old, "void");
  assert.equal(await sendAll(fleet, site), 3, "five in an hour, with the two before");
});

Deno.test("leaseDeliveries() warms up a new account, and does not limit an old one by it", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 600);
  await setRules(fleet, { hourlyPercent: 100 });
  const [young, old] = [await fleet.addSite(1), await fleet.addSite(1)];
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET first_installed_at = ? WHERE site = ?",
    args: [START - 3 * HOUR_MS, young.site],
  });
  const days: number[] = [];
  for (let day = 0; day < 4; day++) {
    days.push(await sendAll(fleet, young));
    fleet.pass(DAY_MS);
  }
  assert.deepEqual(days, [20, 24, 28, 34]);
  await fleet.ctx.db.execute(`UPDATE accounts SET held_days = 3 WHERE site = ${young.site}`);
  assert.equal(await sendAll(fleet, young), 24, "three days that were not green cost three steps");
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET banned_at = ?, held_days = 0 WHERE site = ?",
    args: [fleet.ctx.now(), young.site],
  });
  fleet.pass(DAY_MS);
  assert.equal(await sendAll(fleet, young), 24, "a ban begins it anew: this is its second day");
  assert.equal(await sendAll(fleet, old), 250);
  await setRules(fleet, { warmupEnabled: false });
  assert.ok(await sendAll(fleet, young, { most: 30 }) >= 30);
});

Deno.test("leaseDeliveries() shares a device's day between a young and an old account", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 200);
  await setRules(fleet, { hourlyPercent: 100, maxMessagesPerDay: 60 });
  const site = await fleet.addSite(1, 2);
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET first_installed_at = ? WHERE id = (SELECT min(id) FROM accounts)",
    args: [START],
  });
  assert.equal(await sendAll(fleet, site), 60);
  const { rows } = await fleet.ctx.db.execute("SELECT used FROM account_days ORDER BY account");
  assert.deepEqual(rows.map((row) => row.used), [20, 40]);
});

Deno.test("leaseDeliveries() leases no picture to an account whose app loses captions, and leases texts before it", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(2, 2);
  const client = await fleet.addClient(6);
  const picture = await sendPicture(fleet, 4, client);
  const text = await sendNew(fleet, 2, client);
  await setCaptions(fleet, "S1D1/com.whatsapp/0", false);
  const lease = await take(fleet, site, 2);
  assert.equal(lease.campaign, picture.id, "what nobody knows of an account is tried");
  assert.deepEqual(lease.items.map(({ account }) => account).sort(), [
    "S1D1/com.whatsapp/1",
    "S1D1/com.whatsapp/1",
    "S1D2/com.whatsapp/0",
    "S1D2/com.whatsapp/1",
  ]);
  await report(fleet, site, lease, "void");
  fleet.pass(DAY_MS);
  await fleet.reconnect(site);

  await fleet.ctx.db.execute("UPDATE accounts SET captions = 0");
  assert.equal((await take(fleet, site, 1)).campaign, text.id);
  assert.equal(await pull(fleet, site), null);
  await setCaptions(fleet, "S1D2/com.whatsapp/1", true);
  assert.deepEqual((await take(fleet, site, 1)).items.map(({ account }) => account), ["S1D2/com.whatsapp/1"]);
});

Deno.test("leaseDeliveries() leases texts to other phones when the only one for pictures has no room today", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(2);
  await setRules(fleet, { maxMessagesPerDay: 2, hourlyPercent: 100 });
  const client = await fleet.addClient(6);
  await sendPicture(fleet, 4, client);
  const text = await sendNew(fleet, 2, client);
  await setCaptions(fleet, "S1D1/com.whatsapp/0", false);
  const lease = await take(fleet, site);
  assert.deepEqual(lease.items.map(({ account }) => account), Array(2).fill("S1D2/com.whatsapp/0"));
  await report(fleet, site, lease, "sent");
  assert.equal((await take(fleet, site)).campaign, text.id);
});

async function sendPicture(fleet: Fleet, contacts: number, client: TestClient): Promise<SentCampaign> {
  const campaign = await sendNew(fleet, contacts, client);
  await fleet.ctx.db.executeMultiple(`
    INSERT INTO images (sha256, media_type, bytes, width, height, created_at)
      VALUES ('abc', 'image/png', x'00', 1, 1, 0);
    UPDATE campaigns SET image = 'abc' WHERE id = ${campaign.id};`);
  return campaign;
}

async function setCaptions(fleet: Fleet, account: string, captions: boolean): Promise<void> {
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET captions = ? WHERE key = ?",
    args: [captions, account],
  });
}

Deno.test("advertising without its composed words is not sent by an older release and not leased", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const site = await fleet.addSite(1);
  const { db } = fleet.ctx;
  const ready = await fleet.addCampaign(await fleet.addClient(1), 1);
  await db.execute(`UPDATE campaigns SET kind = 'marketing' WHERE id = ${ready.id}`);
  const send = `UPDATE campaigns SET status = 'processing', send_at = 0, reserved = 1`;
  await assert.rejects(db.execute(`${send} WHERE id = ${ready.id}`), /without its composed words/);
  const sent = await sendMarketing(fleet, 1);
  await db.execute(`UPDATE campaigns SET sent_text = NULL WHERE id = ${sent.id}`);
  assert.equal(await pull(fleet, site), null);
  await db.execute(`UPDATE campaigns SET sent_text = 'פרסומת' WHERE id = ${sent.id}`);
  assert.equal((await pull(fleet, site))?.text, "פרסומת");
});
