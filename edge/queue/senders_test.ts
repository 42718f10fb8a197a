/** A chat keeps its sender: a person hears from the account that wrote to them before, while it can send. */
import assert from "node:assert/strict";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { acknowledge, pull, report, sendNew, type SentCampaign, take } from "../testing/queue_acts.ts";
import { reportLostTime, restore } from "../testing/lost_time.ts";
import { forgetNumbers } from "../privacy/forget_numbers.ts";
import { passTo, sendMarketing, setRules } from "../testing/rules.ts";
import { auditQueue } from "./audit.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";

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
  "has no room in this hour, of which much is left": ({ sql }) =>
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
