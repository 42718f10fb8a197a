/** A chat keeps its sender: a person hears from the account that wrote to them before, while it can send. */
import assert from "node:assert/strict";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { acknowledge, pull, report, sendNew, type SentCampaign, take } from "../testing/queue_acts.ts";
import { reportLostTime, restore } from "../testing/lost_time.ts";
import { recordInventory } from "../devices/record_inventory.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { forgetNumbers } from "../privacy/forget_numbers.ts";
import { startErasure } from "../privacy/start_erasure.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { passTo, sendMarketing, setRules } from "../testing/rules.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { auditQueue } from "./audit.ts";
import { cancelCampaign } from "./cancel.ts";
import { flipCancelled } from "./flip_cancelled.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";
import { sendCampaign } from "./send.ts";
import { takeBackSend } from "./take_back.ts";
import { runDueTicks } from "./ticks.ts";

const MINUTE = 60_000;

/** Two sites with one phone each; the first wrote to the client's three people just now. */
interface TwoSites {
  fleet: Fleet;
  sender: TestSite;
  other: TestSite;
  first: SentCampaign;
  sql(text: string): Promise<unknown>;
}

async function openTwoSites(contacts = 3): Promise<TwoSites & AsyncDisposable> {
  const fleet = await openFleet();
  await setRules(fleet, { rateLimit: 0 });
  const client = await fleet.addClient(2_000);
  const sender = await fleet.addSite();
  const first = await sendNew(fleet, contacts, client);
  await sendFrom(fleet, sender);
  const other = await fleet.addSite();
  const sql = (text: string) => fleet.ctx.db.execute(text);
  return { fleet, sender, other, first, sql, [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() };
}

/** Leases and sends all that the site is given; returns how many. */
async function sendFrom(fleet: Fleet, site: TestSite): Promise<number> {
  let count = 0;
  for (let lease = await pull(fleet, site, 3); lease !== null; lease = await pull(fleet, site, 3)) {
    await acknowledge(fleet, site, lease.token);
    await report(fleet, site, lease, "sent");
    count += lease.items.length;
  }
  return count;
}

/** Returns how many rows a pull of the site leases. */
async function given(fleet: Fleet, site: TestSite): Promise<number> {
  return (await pull(fleet, site, 3))?.items.length ?? 0;
}

/** The last digits of what a lease holds. */
function endings(lease: { items: readonly { phone: string }[] }): number[] {
  return lease.items.map(({ phone }) => Number(phone.slice(-2)));
}

async function audited(fleet: Fleet): Promise<void> {
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
}

Deno.test("leaseDeliveries() leaves a person to the account that wrote to them before, also at another site", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  const second = await sendNew(fleet, 3, first.client);
  assert.equal(await given(fleet, other), 0);
  await audited(fleet);
  const lease = await take(fleet, sender, 3);
  assert.deepEqual([lease.campaign, lease.items.length], [second.id, 3]);
  await report(fleet, sender, lease, "sent");
  await audited(fleet);
});

Deno.test("leaseDeliveries() gives rows of people nobody wrote to to any account, past those that are left", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  await sendNew(fleet, 8, first.client);
  assert.deepEqual((await take(fleet, other, 3)).items.map(({ phone }) => phone.slice(-1)), ["4", "5", "6"]);
  assert.deepEqual((await take(fleet, sender, 3)).items.map(({ phone }) => phone.slice(-1)), ["1", "2", "3"]);
  await audited(fleet);
});

Deno.test("leaseDeliveries() leaves nothing for the sender of another client, whose people are the same", async () => {
  await using world = await openTwoSites();
  await sendNew(world.fleet, 3);
  assert.equal(await given(world.fleet, world.other), 3);
});

Deno.test("leaseDeliveries() lets any account go after ten minutes, and that account becomes the sender", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  await sendNew(fleet, 3, first.client);
  assert.equal(await given(fleet, other), 0);
  fleet.pass(10 * MINUTE - 1);
  assert.equal(await given(fleet, other), 0);
  // The sender goes on to answer, and asks for nothing.
  await fleet.show(sender);
  await world.sql(`UPDATE sites SET last_seen_at = ${fleet.ctx.now()}`);
  fleet.pass(1);
  await report(fleet, other, await take(fleet, other, 3), "sent");
  await audited(fleet);
  for (const site of [sender, other]) await fleet.show(site);
  await world.sql(`UPDATE sites SET last_seen_at = ${fleet.ctx.now()}`);
  await sendNew(fleet, 3, first.client);
  assert.equal(await given(fleet, sender), 0);
  assert.equal(await given(fleet, other), 3);
});

Deno.test("leaseDeliveries() gives the waiting row to its own sender first, also when its ten minutes are over", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  await sendNew(fleet, 6, first.client);
  assert.equal(await given(fleet, other), 3);
  await fleet.ctx.db.execute("UPDATE deliveries SET state = 'queued', by = 0 WHERE state = 'leased'");
  fleet.pass(11 * MINUTE);
  assert.deepEqual((await take(fleet, sender, 3)).items.map(({ phone }) => phone.slice(-1)), ["1", "2", "3"]);
});

/** What makes a sender unusable. */
const UNUSABLE: Record<string, (world: TwoSites) => unknown> = {
  "is banned": ({ sql }) => sql("UPDATE accounts SET state = 'banned' WHERE id = 1"),
  "rests": ({ sql }) => sql("UPDATE accounts SET trip = 1 WHERE id = 1"),
  "has no room today": ({ sql }) => sql("UPDATE account_days SET used = 250"),
  "was given all that it may be given": ({ sql }) => sql("UPDATE account_days SET given = 999"),
  "has no room in this hour, with much of the hour left": ({ sql }) =>
    sql("UPDATE account_days SET hour_used = 250"),
  "is on a phone that a person stopped": ({ sql }) => sql("UPDATE devices SET stopped = 1 WHERE id = 1"),
  "is on a phone that is away": ({ sql }) => sql("UPDATE devices SET state = 'offline' WHERE id = 1"),
  "is on a phone that did not answer for ten minutes": ({ sql, fleet }) =>
    sql(`UPDATE devices SET proof_at = ${fleet.ctx.now() - 10 * MINUTE} WHERE id = 1`),
  "is at a site that did not answer for ten minutes": ({ sql, fleet }) =>
    sql(`UPDATE sites SET last_seen_at = ${fleet.ctx.now() - 10 * MINUTE} WHERE id = 1`),
  "is at a site that is stopped": ({ sql }) => sql("UPDATE sites SET stopped = 1 WHERE id = 1"),
  "is at a site that drains": ({ sql }) => sql("UPDATE sites SET draining = 1 WHERE id = 1"),
  "is at a site that was revoked": ({ sql }) => sql("UPDATE sites SET revoked = 1 WHERE id = 1"),
  "is unconfirmed, and its site's unconfirmed accounts used their day": ({ sql }) =>
    Promise.all([
      sql("UPDATE accounts SET trusted = 0 WHERE id = 1"),
      sql("UPDATE account_days SET given = 40"),
    ]),
  "cannot send the picture": ({ sql }) =>
    Promise.all([
      sql(`INSERT INTO images (sha256, media_type, bytes, width, height, created_at)
        VALUES ('abc', 'image/png', x'00', 1, 1, 0)`),
      sql("UPDATE campaigns SET image = 'abc' WHERE id = 2"),
      sql("UPDATE accounts SET captions = 0 WHERE id = 1"),
    ]),
  "is not to be kept, by the settings": ({ fleet }) => setRules(fleet, { stickySender: false }),
};

for (const [what, spoil] of Object.entries(UNUSABLE)) {
  Deno.test(`leaseDeliveries() gives a person to any account when the sender ${what}`, async () => {
    await using world = await openTwoSites();
    await sendNew(world.fleet, 3, world.first.client);
    await spoil(world);
    assert.equal(await given(world.fleet, world.other), 3);
  });
}

/** What happens to a sender for which rows wait: each is a change of a row. */
const LOST_MEANWHILE: Record<string, (world: TwoSites) => unknown> = {
  "is banned": ({ sql }) => sql("UPDATE accounts SET state = 'banned' WHERE id = 1"),
  "is logged out": ({ sql }) => sql("UPDATE accounts SET state = 'logged_out' WHERE id = 1"),
  "is removed from its phone": ({ sql }) => sql("UPDATE accounts SET state = 'unreachable' WHERE id = 1"),
  "meets a screen that nobody knows": ({ sql }) =>
    sql("UPDATE accounts SET state = 'unreachable', unknown_screen = '{}' WHERE id = 1"),
  "is put to rest": ({ sql }) => sql("UPDATE accounts SET trip = 1 WHERE id = 1"),
  "is on a phone that a person stops": ({ sql }) => sql("UPDATE devices SET stopped = 1 WHERE id = 1"),
  "is on a phone that its site stops": ({ sql }) => sql("UPDATE devices SET site_stopped = 1 WHERE id = 1"),
  "is on a phone that is unplugged": ({ fleet, sender }) =>
    recordInventory(fleet.ctx, sender, { devices: [], accounts: [] }),
  "is on a phone that is carried to another site": async ({ fleet, sender, other }) => {
    await recordInventory(fleet.ctx, sender, { devices: [], accounts: [] });
    await fleet.show({ ...other, devices: [...other.devices, sender.devices[0]!] });
  },
  "is at a site that is stopped": ({ sql }) => sql("UPDATE sites SET stopped = 1 WHERE id = 1"),
  "is at a site that drains": ({ sql }) => sql("UPDATE sites SET draining = 1 WHERE id = 1"),
  "is at a site that is revoked": ({ fleet, sender }) => revokeSite(fleet.ctx, sender.site),
  "is unconfirmed, and its site's unconfirmed accounts are put to rest": async ({ sql }) => {
    await sql("UPDATE accounts SET trusted = 0 WHERE id = 1");
    await sql("UPDATE sites SET unconfirmed_rest = '{}' WHERE id = 1");
  },
  "is not to be kept any more, by the settings": ({ fleet }) => setRules(fleet, { stickySender: false }),
  "was to be kept by the settings, and is not any more": async ({ fleet, sql }) => {
    await setRules(fleet, { stickySender: true });
    await sql("UPDATE settings SET value = 'false' WHERE key = 'stickySender'");
  },
};

for (const [what, happens] of Object.entries(LOST_MEANWHILE)) {
  Deno.test(`leaseDeliveries() waits no longer when the sender ${what} meanwhile`, async () => {
    await using world = await openTwoSites();
    await sendNew(world.fleet, 3, world.first.client);
    assert.equal(await given(world.fleet, world.other), 0);
    await happens(world);
    await audited(world.fleet);
    assert.equal(await given(world.fleet, world.other), 3);
    await audited(world.fleet);
  });
}

Deno.test("a row that waits is left for the account that wrote last, also when that changes meanwhile", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first, sql } = world;
  await sendNew(fleet, 3, first.client);
  assert.equal(await given(fleet, other), 0);
  await sql("UPDATE deliveries SET account = 2 WHERE campaign = 1 AND phone = 972540000002");
  await sql("UPDATE senders SET account = 2 WHERE phone = 972540000002");
  assert.deepEqual(endings(await take(fleet, other, 3)), [2]);
  assert.deepEqual(endings(await take(fleet, sender, 3)), [1, 3]);
});

/** What no row shows at the moment when it happens. */
const LOST_UNSEEN: Record<string, (world: TwoSites) => unknown> = {
  "falls silent": ({ sql, fleet }) =>
    sql(`UPDATE sites SET last_seen_at = ${fleet.ctx.now() - 10 * MINUTE} WHERE id = 1`),
  "is on a phone that falls silent": ({ sql, fleet }) =>
    sql(`UPDATE devices SET proof_at = ${fleet.ctx.now() - 10 * MINUTE} WHERE id = 1`),
  "fills its day with other work": ({ sql }) => sql("UPDATE account_days SET used = 250"),
  "was given all that it may be given": ({ sql }) => sql("UPDATE account_days SET given = 999"),
};

for (const [what, happens] of Object.entries(LOST_UNSEEN)) {
  Deno.test(`the duty free_left ends the wait when the sender ${what}, and no other`, async () => {
    await using world = await openTwoSites();
    const { fleet, other, first } = world;
    await sendNew(fleet, 3, first.client);
    assert.equal(await given(fleet, other), 0);
    await runDueTicks(fleet.ctx);
    assert.equal(await given(fleet, other), 0);
    await happens(world);
    fleet.pass(5_000);
    await runDueTicks(fleet.ctx);
    assert.equal(await given(fleet, other), 3);
    await audited(fleet);
  });
}

Deno.test("leaseDeliveries() gives a row that waited in vain where it stood in the list, not behind all others", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  await sendNew(fleet, 63, first.client);
  const lease = await take(fleet, other, 3);
  assert.deepEqual(endings(lease), [4, 5, 6]);
  await report(fleet, other, lease, "sent");
  fleet.pass(10 * MINUTE - 1);
  await fleet.show(sender);
  const early = await take(fleet, other, 2);
  assert.deepEqual(endings(early), [7, 8]);
  fleet.pass(1);
  assert.deepEqual(endings(await take(fleet, other, 3)), [1]);
  await report(fleet, other, early, "sent");
  assert.deepEqual(endings(await take(fleet, other, 3)), [2, 3]);
  await audited(fleet);
});

Deno.test("leaseDeliveries() gives what a lost sender left where it stood in the list", async () => {
  await using world = await openTwoSites();
  const { fleet, other, first, sql } = world;
  await sendNew(fleet, 63, first.client);
  const lease = await take(fleet, other, 2);
  await report(fleet, other, lease, "sent");
  await sql("UPDATE accounts SET state = 'banned' WHERE id = 1");
  assert.deepEqual(endings(await take(fleet, other, 3)), [1, 2, 3]);
});

Deno.test("leaseDeliveries() gives a row that its sender let go where it stood in the list", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first, sql } = world;
  await sendNew(fleet, 63, first.client);
  assert.equal(await given(fleet, other), 3);
  assert.equal(await given(fleet, sender), 3);
  // The offer ends without an acknowledgement, and the sender goes.
  await sql("UPDATE accounts SET state = 'banned' WHERE id = 1");
  await sql("UPDATE deliveries SET state = 'queued', by = 0 WHERE state = 'leased' AND account = 1");
  await sql("UPDATE deliveries SET state = 'sent', by = 1 WHERE state = 'leased'");
  assert.deepEqual(endings(await take(fleet, other, 3)), [1, 2, 3]);
});

/** By seconds between two messages: how many rows are left for a phone of as many accounts. */
const PACES: readonly { rate: number; accounts: number; left: number }[] = [
  { rate: 0, accounts: 1, left: 30 },
  { rate: 60, accounts: 1, left: 10 },
  { rate: 60, accounts: 2, left: 10 },
  { rate: 90.5, accounts: 1, left: 7 },
  { rate: 3600, accounts: 1, left: 1 },
];
for (const { rate, accounts, left } of PACES) {
  Deno.test(`leaseDeliveries() leaves ${left} of 30 rows to a phone of ${accounts} that taps every ${rate} s`, async () => {
    await using fleet = await openFleet();
    await setRules(fleet, { rateLimit: 0, hourlyPercent: 100, warmupEnabled: false });
    const client = await fleet.addClient(200);
    const sender = await fleet.addSite(1, accounts);
    await sendNew(fleet, 30, client);
    assert.equal(await sendFrom(fleet, sender), 30);
    const other = await fleet.addSite(20);
    await setRules(fleet, { rateLimit: rate });
    const second = await sendNew(fleet, 30, client);
    let others = 0;
    for (let lease = await pull(fleet, other, 3); lease; lease = await pull(fleet, other, 3)) {
      others += lease.items.length;
    }
    assert.equal(others, 30 - left);
    const waiting =
      `SELECT count(*) AS n FROM deliveries WHERE awaits IS NOT NULL AND campaign = ${second.id}`;
    assert.deepEqual(await fleet.one(waiting), { n: left });
    await audited(fleet);
  });
}

Deno.test("leaseDeliveries() leaves as many rows less as the phone holds already, and as its last tap is near", async () => {
  await using world = await openTwoSites(30);
  const { fleet, sender, other, first, sql } = world;
  await setRules(fleet, { rateLimit: 60, hourlyPercent: 100, warmupEnabled: false });
  await sendNew(fleet, 3);
  assert.equal(await given(fleet, sender), 3);
  await sql(`UPDATE devices SET paced_until = ${fleet.ctx.now() + MINUTE} WHERE id = 1`);
  await sendNew(fleet, 30, first.client);
  await pull(fleet, other, 3);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM deliveries WHERE awaits IS NOT NULL"), {
    n: 6,
  });
});

Deno.test("leaseDeliveries() leaves no more rows for a site's unconfirmed accounts than they may send together", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { rateLimit: 0, unconfirmedPerDay: 10 });
  const client = await fleet.addClient(100);
  const sender = await fleet.addSite(4);
  await sendNew(fleet, 8, client);
  await sendFrom(fleet, sender);
  await fleet.ctx.db.execute("UPDATE accounts SET trusted = 0");
  const other = await fleet.addSite(4);
  await sendNew(fleet, 8, client);
  assert.equal(await given(fleet, other), 6);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM deliveries WHERE awaits IS NOT NULL"), {
    n: 2,
  });
});

Deno.test("a send that is taken back forgets for whom its rows waited, also of a lost sender", async () => {
  await using world = await openTwoSites();
  const { fleet, other, first, sql } = world;
  const owner = { ...first.client, role: "client" as const };
  const second = await fleet.addCampaign(first.client, 3);
  await sendCampaign(fleet.ctx, first.client, second.id, { delaySeconds: 10 });
  fleet.pass(10_000);
  assert.equal(await given(fleet, other), 0);
  await sql("UPDATE accounts SET state = 'banned' WHERE id = 1");
  await takeBackSend(fleet.ctx, owner, second.id);
  const waits =
    `SELECT sum(not_before) AS ms, count(awaits) AS n FROM deliveries WHERE campaign = ${second.id}`;
  assert.deepEqual(await fleet.one(waits), { ms: 0, n: 0 });
  await audited(fleet);
});

Deno.test("a row that leaves the queue waits for nobody: removed, cancelled, or of a send that is taken back", async () => {
  await using world = await openTwoSites(6);
  const { fleet, other, first } = world;
  const owner = { ...first.client, role: "client" as const };
  const [removed] = first.phones;
  const second = await fleet.addCampaign(first.client, 3);
  await sendCampaign(fleet.ctx, first.client, second.id, { delaySeconds: 10 });
  const third = await sendNew(fleet, 3, first.client);
  fleet.pass(10_000);
  assert.equal(await given(fleet, other), 0);
  assert.equal(await given(fleet, other), 0);
  const left = "SELECT count(awaits) AS n FROM deliveries";
  assert.deepEqual(await fleet.one(left), { n: 6 });
  await suppressPhone(fleet.ctx, { phone: removed!, client: first.client.id, source: "manual" });
  assert.deepEqual(await fleet.one(left), { n: 4 });
  await audited(fleet);
  await takeBackSend(fleet.ctx, owner, second.id);
  assert.deepEqual(await fleet.one(left), { n: 2 });
  await cancelCampaign(fleet.ctx, owner, third.id);
  await flipCancelled(fleet.ctx);
  assert.deepEqual(await fleet.one(left), { n: 0 });
  await audited(fleet);
});

Deno.test("an erased person's row waits for nobody, and no sender is known of them", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  await sendNew(fleet, 3, first.client);
  assert.equal(await given(fleet, other), 0);
  await startErasure(fleet.ctx, { person: 0 }, { phone: first.phones[1]!, reason: "בקשה", block: false });
  await eraseNumbers(fleet.ctx);
  fleet.pass(11 * MINUTE);
  await eraseNumbers(fleet.ctx);
  assert.deepEqual(
    await fleet.one(`SELECT count(*) AS n FROM senders WHERE phone = ${first.phones[1]!.slice(1)}`),
    { n: 0 },
  );
  assert.deepEqual(endings(await take(fleet, sender, 3)), [1, 3]);
  await audited(fleet);
});

Deno.test("while a site still holds an erased person's row, no sender is known of their settled ones", async () => {
  await using world = await openTwoSites();
  const { fleet, other, first } = world;
  await sendNew(fleet, 3);
  const held = await take(fleet, other, 3);
  const [erased] = first.phones;
  await startErasure(fleet.ctx, { person: 0 }, { phone: erased!, reason: "בקשה", block: false });
  await eraseNumbers(fleet.ctx);
  const senders = `SELECT count(*) AS n FROM senders WHERE phone = ${erased!.slice(1)}`;
  assert.deepEqual(await fleet.one("SELECT count(phone) AS n FROM erasures"), { n: 1 });
  assert.deepEqual(await fleet.one(senders), { n: 0 });
  await audited(fleet);
  await report(fleet, other, held, "sent");
  await audited(fleet);
  fleet.pass(11 * MINUTE);
  await eraseNumbers(fleet.ctx);
  assert.deepEqual(await fleet.one("SELECT count(phone) AS n FROM erasures"), { n: 0 });
  assert.deepEqual(await fleet.one(senders), { n: 0 });
  await audited(fleet);
});

Deno.test("rows are left, freed and put in their place through a remote database too, by another edge", async () => {
  await using fleet = await openFleet({ remote: true });
  await setRules(fleet, { rateLimit: 0 });
  const client = await fleet.addClient(100);
  const sender = await fleet.addSite();
  await sendNew(fleet, 2, client);
  await sendFrom(fleet, sender);
  const other = await fleet.addSite();
  await sendNew(fleet, 9, client);
  const lease = await take(fleet, other, 2);
  assert.deepEqual(endings(lease), [3, 4]);
  await report(fleet, other, lease, "sent");
  fleet.pass(5_000);
  await runDueTicks(fleet.ctx);
  await fleet.ctx.db.execute("UPDATE accounts SET state = 'banned' WHERE id = 1");
  assert.deepEqual(endings(await take(fleet, other, 3)), [1, 2, 5]);
  await audited(fleet);
});

Deno.test("leaseDeliveries() waits for a sender whose full hour ends within ten minutes", async () => {
  await using world = await openTwoSites();
  const { fleet, other, sender, first, sql } = world;
  fleet.pass(51 * MINUTE);
  for (const site of [sender, other]) await fleet.show(site);
  await sql(`UPDATE sites SET last_seen_at = ${fleet.ctx.now()}`);
  await sql("UPDATE account_days SET hour_used = 250");
  await sendNew(fleet, 3, first.client);
  assert.equal(await given(fleet, other), 0);
  assert.equal(await given(fleet, sender), 0);
  fleet.pass(9 * MINUTE);
  assert.equal(await given(fleet, sender), 3);
});

Deno.test("leaseDeliveries() leaves no more rows for an account than it has room", async () => {
  await using world = await openTwoSites(8);
  const { fleet, other, first, sql } = world;
  await sql("UPDATE account_days SET used = 248");
  await sendNew(fleet, 8, first.client);
  assert.equal(await given(fleet, other), 3);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM deliveries WHERE awaits = 1"), { n: 2 });
});

Deno.test("leaseDeliveries() gives any account what the sender gave back, and the sender what a person called back", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  await sendNew(fleet, 2, first.client);
  const lease = await take(fleet, sender, 2);
  const [one, two] = lease.items;
  await report(fleet, sender, { ...lease, items: [one!] }, "void", { reason: "phone_screen_blocked" });
  await report(fleet, sender, { ...lease, items: [two!] }, "void", { reason: "recalled" });
  assert.deepEqual((await take(fleet, other, 3)).items.map(({ phone }) => phone), [one!.phone]);
  assert.deepEqual((await take(fleet, sender, 3)).items.map(({ phone }) => phone), [two!.phone]);
});

Deno.test("leaseDeliveries() serves another client while a campaign waits for senders that are away from this pull", async () => {
  await using world = await openTwoSites();
  const { fleet, other, first } = world;
  await sendNew(fleet, 3, first.client);
  const stranger = await sendNew(fleet, 2);
  await world.sql(`UPDATE users SET lease_turn = 99 WHERE id = ${stranger.client.id}`);
  assert.equal((await pull(fleet, other, 3))?.campaign, stranger.id);
});

Deno.test("leaseDeliveries() chooses no campaign for a waiting row that may not go: another client is served", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first, sql } = world;
  await sendNew(fleet, 1, first.client);
  assert.equal(await given(fleet, other), 0);
  await sql(`INSERT INTO suppressions (client, phone, source, at) VALUES (0, 972540000001, 'manual', 1)`);
  const stranger = await sendNew(fleet, 2);
  await sql(`UPDATE users SET lease_turn = 99 WHERE id = ${stranger.client.id}`);
  assert.equal((await pull(fleet, sender, 1))?.campaign, stranger.id);
});

Deno.test("leaseDeliveries() gives each of a phone's accounts the people that it wrote to", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { rateLimit: 0 });
  const client = await fleet.addClient(100);
  const site = await fleet.addSite(1, 2);
  const first = await sendNew(fleet, 6, client);
  await sendFrom(fleet, site);
  await sendNew(fleet, 6, client);
  await sendFrom(fleet, site);
  const { rows } = await fleet.ctx.db.execute("SELECT DISTINCT account, phone FROM deliveries");
  assert.equal(rows.length, first.phones.length);
  assert.equal(new Set(rows.map(({ account }) => account)).size, 2);
  await audited(fleet);
});

Deno.test("a pilot wave, and a test to oneself, wait for no sender; a test makes none", async () => {
  await using world = await openTwoSites();
  const { fleet, other, first, sql } = world;
  const wave = await sendNew(fleet, 3, first.client);
  await sql(
    `UPDATE campaigns SET pilot_count = 2, pilot_wait_ms = 60000, pilot_last = 5 WHERE id = ${wave.id}`,
  );
  assert.equal(await given(fleet, other), 2);
  await sql(`UPDATE campaigns SET status = 'paused' WHERE id = ${wave.id}`);
  const test = await sendNew(fleet, 1, first.client);
  await sql(`UPDATE campaigns SET test_of = ${first.id} WHERE id = ${test.id}`);
  await report(fleet, other, await take(fleet, other, 1), "sent");
  assert.deepEqual(await fleet.one("SELECT DISTINCT account FROM senders"), { account: 1 });
});

Deno.test("a resumed campaign looks for its senders again", async () => {
  await using world = await openTwoSites();
  const { fleet, sender, other, first } = world;
  const second = await sendNew(fleet, 3, first.client);
  const owner = { client: first.client.id, person: first.client.id, role: "client" as const };
  assert.equal(await given(fleet, other), 0);
  await pauseCampaign(fleet.ctx, owner, second.id);
  fleet.pass(30 * MINUTE);
  await resumeCampaign(fleet.ctx, owner, second.id);
  for (const site of [sender, other]) await fleet.show(site);
  await world.sql(`UPDATE sites SET last_seen_at = ${fleet.ctx.now()}`);
  assert.equal(await given(fleet, other), 0);
  assert.equal(await given(fleet, sender), 3);
});

Deno.test("a sender is forgotten when its message turns out not to be sent, and is the one that wrote last", async () => {
  await using world = await openTwoSites(1);
  const { fleet, other, first, sql } = world;
  await sql("UPDATE accounts SET state = 'banned' WHERE id = 1");
  await sendNew(fleet, 1, first.client);
  const lease = await take(fleet, other, 1);
  await report(fleet, other, lease, "unknown");
  const owner = { client: first.client.id, person: first.client.id, role: "client" as const };
  await resolveDeliveries(fleet.ctx, owner, lease.campaign, { ids: "all", as: "sent" });
  const senders = "SELECT group_concat(account) AS of FROM senders";
  assert.deepEqual(await fleet.one(senders), { of: "2" });
  await report(fleet, other, lease, "failed");
  assert.deepEqual(await fleet.one(senders), { of: null });
  await audited(fleet);
});

Deno.test("a list whose senders are all elsewhere blocks neither the people behind it nor the next pull", async () => {
  await using world = await openTwoSites(1);
  const { fleet, other, first, sql } = world;
  await sql(`INSERT INTO senders (client, phone, account, campaign, at)
    SELECT client, phone + value, account, campaign, at FROM senders
    JOIN (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 699) SELECT value FROM n)`);
  await setRules(fleet, {
    maxMessagesPerDay: 10_000,
    hourlyPercent: 100,
    warmupEnabled: false,
    rateLimit: 0,
  });
  const second = await sendNew(fleet, 702, first.client);
  const lease = await take(fleet, other, 3);
  assert.deepEqual(lease.items.map(({ phone }) => phone), second.phones.slice(700));
});

Deno.test("a number that the client's marketing reached this week is skipped, and not left for its sender", async () => {
  await using fleet = await openFleet();
  passTo(fleet, "2026-11-22T10:00:00+02:00");
  await setRules(fleet, { rateLimit: 0 });
  const client = await fleet.addClient(100);
  const site = await fleet.addSite();
  await sendMarketing(fleet, 3, client);
  await sendFrom(fleet, site);
  const second = await sendMarketing(fleet, 3, client);
  assert.equal(await sendFrom(fleet, site), 0);
  assert.deepEqual(await fleet.states(second.id), ["skipped", "skipped", "skipped"]);
});

Deno.test("a restored database learns the senders of the lost time from the sites' outcomes", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite(2);
  await restore(fleet, site);
  const account = `${site.devices[1]}/com.whatsapp/0`;
  const sent = {
    account,
    at: fleet.ctx.now(),
    phone: campaign.phones[0]!,
    token: "a".repeat(32),
    attempt: 1,
  };
  await reportLostTime(fleet, site, campaign, [sent]);
  assert.deepEqual(await fleet.states(campaign.id), ["sent"]);
  assert.deepEqual(await fleet.one("SELECT client, phone, account FROM senders"), {
    client: campaign.client.id,
    phone: 972540000001,
    account: 2,
  });
  await audited(fleet);
});

Deno.test("a sender is forgotten with its campaign's numbers, and one of a later campaign with that one", async () => {
  await using world = await openTwoSites(2);
  const { fleet, sender, first } = world;
  const second = await sendNew(fleet, 1, first.client);
  await sendFrom(fleet, sender);
  const senders = "SELECT group_concat(campaign) AS of FROM (SELECT campaign FROM senders ORDER BY phone)";
  assert.deepEqual(await fleet.one(senders), { of: `${second.id},${first.id}` });
  fleet.pass(91 * 24 * 60 * MINUTE);
  await world.sql(`UPDATE campaigns SET completed_at = ${fleet.ctx.now()} WHERE id = ${second.id}`);
  while (await forgetNumbers(fleet.ctx) > 0);
  assert.deepEqual(await fleet.one(senders), { of: String(second.id) });
  await audited(fleet);
});
