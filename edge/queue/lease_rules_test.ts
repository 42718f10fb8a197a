/** The conditions that the claim checks before it leases: hours, frequency, warm-up and the share of an hour. */
import assert from "node:assert/strict";
import { MAX_VALID_MS } from "shared/lease.ts";
import { readAlerts } from "../admin/alerts.ts";
import { auditQueue } from "./audit.ts";
import type { LeaseFrame } from "./lease.ts";
import { type Fleet, openFleet, START, type TestSite } from "../testing/fleet.ts";
import {
  acknowledge,
  balanceOf,
  pull,
  report,
  sendNew,
  type SentCampaign,
  take,
} from "../testing/queue_acts.ts";
import { cancelCampaign } from "./cancel.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";
import { passTo, sendAll, sendMarketing, setRules } from "../testing/rules.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

Deno.test("leaseDeliveries() keeps marketing within the sending hours, and lets service pass by it (I6)", async () => {
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

Deno.test("leaseDeliveries() obeys the hours as they are set", async () => {
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

Deno.test("acknowledgeLease() gives marketing no longer than the sending hours, and leaves out what came too late (rule 15)", async () => {
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

Deno.test("leaseDeliveries() sends a client's marketing to a recipient once a week, and refunds the rest", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(20);
  const site = await fleet.addSite(1);
  const first = await sendMarketing(fleet, 5, client);
  assert.equal(await sendAll(fleet, site), 5);
  await sendNew(fleet, 3, client);
  assert.equal(await sendAll(fleet, site), 3, "service is not marketing");
  await sendMarketing(fleet, 2);
  assert.equal(await sendAll(fleet, site), 2, "another client's marketing is its own");

  const second = await sendMarketing(fleet, 7, client);
  assert.equal(await sendAll(fleet, site), 2);
  assert.deepEqual(await fleet.states(second.id), [...Array(5).fill("skipped"), "sent", "sent"]);
  const { rows } = await fleet.ctx.db.execute(
    `SELECT DISTINCT reason FROM deliveries WHERE campaign = ${second.id} AND state = 'skipped'`,
  );
  assert.deepEqual(rows.map((row) => row.reason), ["frequency_cap"]);
  assert.equal(await balanceOf(fleet, client), 10, "20 - 5 - 3 - 7 + 5 refunded");

  fleet.pass(7 * DAY_MS + 1);
  const third = await sendMarketing(fleet, 2, client);
  assert.equal(await sendAll(fleet, site), 2, "a week later they may hear again");
  assert.deepEqual(await fleet.states(third.id), ["sent", "sent"]);
  assert.deepEqual(await fleet.states(first.id), Array(5).fill("sent"));
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("leaseDeliveries() waits for a number that another marketing campaign has in hand, and holds up nobody", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const [away, site] = [await fleet.addSite(1), await fleet.addSite(1)];
  await sendMarketing(fleet, 1, client);
  const held = await take(fleet, away);
  const second = await sendMarketing(fleet, 3, client);
  await setRules(fleet, { frequencyCapDays: 0 });
  const free = await pull(fleet, site);
  assert.deepEqual(free?.items.map((item) => item.phone), second.phones, "without a cap nothing waits");
  await fleet.reconnect(site);
  await setRules(fleet, { frequencyCapDays: 7 });
  const lease = await take(fleet, site);
  assert.deepEqual(lease.items.map((item) => item.phone), second.phones.slice(1), "the rest goes at once");
  await report(fleet, site, lease, "sent");
  await report(fleet, away, held, "failed");
  fleet.pass(60_000);
  assert.deepEqual((await take(fleet, site)).items.map((item) => item.phone), second.phones.slice(0, 1));
});

Deno.test("leaseDeliveries() waits for no number that a service has in hand", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(2);
  const [away, site] = [await fleet.addSite(1), await fleet.addSite(1)];
  await sendNew(fleet, 1, client);
  await take(fleet, away);
  const { id } = await sendMarketing(fleet, 1, client);
  assert.equal((await pull(fleet, site))?.campaign, id);
});

Deno.test("leaseDeliveries() passes by every number in hand elsewhere, though more of them lead the list than it looks at", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const [away, site] = [await fleet.addSite(1), await fleet.addSite(1)];
  await sendMarketing(fleet, 3, client);
  assert.equal((await take(fleet, away)).items.length, 3);
  const { phones } = await sendMarketing(fleet, 4, client);
  assert.deepEqual((await pull(fleet, site, 1))?.items.map((item) => item.phone), phones.slice(3));
});

Deno.test("leaseDeliveries() counts whom a client may have written to, until it is known that it did not", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const site = await fleet.addSite(1);
  await sendMarketing(fleet, 2, client);
  const doubtful = await take(fleet, site);
  await report(fleet, site, doubtful, "unknown");
  await report(fleet, site, { ...doubtful, items: doubtful.items.slice(1) }, "failed");
  const { id } = await sendMarketing(fleet, 2, client);
  assert.equal(await sendAll(fleet, site), 1);
  assert.deepEqual(await fleet.states(id), ["skipped", "sent"]);
});

Deno.test("leaseDeliveries() counts whom a doubtful attempt may have reached while the next one waits", async () => {
  await using fleet = await openFleet();
  const { client, owner, site, first } = await sentAgainInDoubt(fleet);
  const second = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 0);
  assert.deepEqual(await fleet.states(second.id), ["skipped"]);
  await resumeCampaign(fleet.ctx, owner, first.id);
  assert.equal(await sendAll(fleet, site), 1, "its own campaign may send it again, as the person meant");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("leaseDeliveries() counts whom the second attempt reached, though the first turns out untapped", async () => {
  await using fleet = await openFleet();
  const { client, owner, site, first, doubtful } = await sentAgainInDoubt(fleet);
  await resumeCampaign(fleet.ctx, owner, first.id);
  assert.equal(await sendAll(fleet, site), 1);
  assert.deepEqual(await report(fleet, site, doubtful, "failed"), ["applied"]);
  const second = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 0);
  assert.deepEqual(await fleet.states(second.id), ["skipped"]);
});

Deno.test("leaseDeliveries() counts whom the second of two doubtful attempts may have reached, though the first reached nobody", async () => {
  await using fleet = await openFleet();
  const { client, owner, site, first, doubtful } = await sentAgainInDoubt(fleet);
  await resumeCampaign(fleet.ctx, owner, first.id);
  await report(fleet, site, await take(fleet, site), "unknown");
  await resolveDeliveries(fleet.ctx, client, first.id, { ids: "all", as: "resend" });
  await pauseCampaign(fleet.ctx, owner, first.id);
  assert.deepEqual(await report(fleet, site, doubtful, "failed"), ["applied"]);
  const second = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 0);
  assert.deepEqual(await fleet.states(second.id), ["skipped"]);
});

Deno.test("leaseDeliveries() forgets a doubtful attempt for the cap once its site says that it reached nobody", async () => {
  await using fleet = await openFleet();
  const { client, owner, site, first, doubtful } = await sentAgainInDoubt(fleet);
  assert.deepEqual(await report(fleet, site, doubtful, "failed"), ["applied"]);
  const second = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 1);
  assert.deepEqual(await fleet.states(second.id), ["sent"]);
  await resumeCampaign(fleet.ctx, owner, first.id);
  assert.equal(await sendAll(fleet, site), 0, "now it is this campaign that comes too soon");
  assert.deepEqual(await fleet.states(first.id), ["skipped"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("leaseDeliveries() does not forget a later message when an older campaign's turns out untapped", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const site = await fleet.addSite(1);
  await sendMarketing(fleet, 1, client);
  const doubtful = await take(fleet, site);
  await report(fleet, site, doubtful, "unknown");
  fleet.pass(8 * DAY_MS);
  await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 1);
  assert.deepEqual(await report(fleet, site, doubtful, "failed"), ["applied"]);
  fleet.pass(DAY_MS);
  const { id } = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 0);
  assert.deepEqual(await fleet.states(id), ["skipped"]);
});

Deno.test("leaseDeliveries() does not count a client's test to itself as marketing", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const site = await fleet.addSite(1);
  const test = await sendMarketing(fleet, 1, client);
  await fleet.ctx.db.execute(`UPDATE campaigns SET test_of = id WHERE id = ${test.id}`);
  await report(fleet, site, await take(fleet, site), "unknown");
  await resolveDeliveries(fleet.ctx, client, test.id, { ids: "all", as: "resend" });
  await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 2);
});

Deno.test("leaseDeliveries() keeps no test from a client who heard from itself this week, or is about to", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(3);
  const [away, site] = [await fleet.addSite(1), await fleet.addSite(1)];
  const first = await sendMarketing(fleet, 1, client);
  const held = await take(fleet, away);
  for (const outcome of ["unknown", "sent"] as const) {
    const test = await sendMarketing(fleet, 1, client);
    await fleet.ctx.db.execute(`UPDATE campaigns SET test_of = ${first.id} WHERE id = ${test.id}`);
    assert.equal((await take(fleet, site)).campaign, test.id);
    await report(fleet, away, held, outcome);
  }
});

Deno.test("leaseDeliveries() counts the week of a recipient to the millisecond", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const site = await fleet.addSite(1);
  await sendMarketing(fleet, 1, client);
  await sendAll(fleet, site);
  fleet.pass(7 * DAY_MS - 1);
  const early = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 0);
  assert.deepEqual(await fleet.states(early.id), ["skipped"]);
  fleet.pass(1);
  await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 1);
});

Deno.test("leaseDeliveries() lets a person resend an unknown, whatever the frequency cap", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const campaign = await sendMarketing(fleet, 1);
  const site = await fleet.addSite(1);
  await report(fleet, site, await take(fleet, site), "unknown");
  await fleet.ctx.db.execute(
    "UPDATE deliveries SET state = 'queued', by = 2, resent = 1, not_before = 0 WHERE state = 'unknown'",
  );
  assert.equal((await pull(fleet, site))?.items.length, 1);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
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

Deno.test("leaseDeliveries() gives the room of an hour back with the delivery that was never tapped", async () => {
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

Deno.test("leaseDeliveries() gives no room of this hour for what was leased in another and is given back now", async () => {
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

Deno.test("leaseDeliveries() goes on with a site whose phone is unplugged again and again: what it is given a second time counts once", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, maxMessagesPerDay: 20 });
  await sendNew(fleet, 40);
  const site = await fleet.addSite(1);
  for (let times = 0; times < 100; times++) await unplug(fleet, site);
  assert.equal(await givenToday(fleet), 3);
  assert.equal(await sendAll(fleet, site), 20);
  assert.deepEqual((await readAlerts(fleet.ctx)).items, []);
});

Deno.test("leaseDeliveries() gives a phone its whole day after thirty times in which others took what it gave back", async () => {
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

Deno.test("leaseDeliveries() does not count what a pause calls back, nor what a site gets again after a restart or a resend", async () => {
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

Deno.test("leaseDeliveries() goes on after a client has sent and cancelled a hundred campaigns: it takes nobody's day", async () => {
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

Deno.test("leaseDeliveries() goes on after a hundred pauses in which two sites exchange what they hold", async () => {
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

Deno.test("leaseDeliveries() warms up a new account, and does not let an old one wait for it", async () => {
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

Deno.test("leaseDeliveries() leases no picture to an account whose app loses captions, and lets texts pass by it", async () => {
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

Deno.test("leaseDeliveries() gives texts to phones beside one that alone sends pictures and has no room today", async () => {
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

async function sendPicture(fleet: Fleet, contacts: number, client: { id: number }): Promise<SentCampaign> {
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

Deno.test("advertising without its composed words is neither sent by an older release nor leased", async () => {
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

/** An advertisement that may have reached its one person. Its client sends it again, and it waits, paused. */
async function sentAgainInDoubt(fleet: Fleet) {
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const owner = { ...client, role: "client" } as const;
  const site = await fleet.addSite(1);
  const first = await sendMarketing(fleet, 1, client);
  const doubtful = await take(fleet, site);
  await report(fleet, site, doubtful, "unknown");
  await resolveDeliveries(fleet.ctx, client, first.id, { ids: "all", as: "resend" });
  await pauseCampaign(fleet.ctx, owner, first.id);
  return { client, owner, site, first, doubtful };
}
