import assert from "node:assert/strict";
import { createSite } from "../sites/create_site.ts";
import { connectDatabase } from "../db/connect.ts";
import { LEASE_TTL_MS, PREFETCH_PER_DEVICE } from "shared/lease.ts";
import { openFleet } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { expireLeases } from "./expire_leases.ts";
import { SupersededError } from "./fence.ts";
import { leaseDeliveries } from "./lease.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";
import { sendCampaign } from "./send.ts";

Deno.test("leaseDeliveries() writes nothing when it finds nothing, and still refuses a superseded connection", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const older = { ...site };
  const read = () => fleet.one("SELECT * FROM sites");
  const before = await read();

  fleet.pass(60_000);
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(await read(), before);
  await fleet.reconnect(site);
  await assert.rejects(pull(fleet, older), SupersededError);
});

Deno.test("leaseDeliveries() offers the head of the list, with token, attempt, account and time limit", async () => {
  await using fleet = await openFleet();
  const { id, phones } = await sendNew(fleet, 5);
  const site = await fleet.addSite(2);

  const lease = await pull(fleet, site, 1);
  assert.ok(lease);
  assert.match(lease.token, /^[0-9a-f]{32}$/);
  assert.deepEqual([lease.campaign, lease.text, lease.image], [id, "שלום", null]);
  assert.deepEqual(lease.items.map((item) => item.phone), phones.slice(0, 2));
  assert.deepEqual(lease.items.map((item) => item.attempt), [1, 1]);
  assert.equal(new Set(lease.items.map((item) => item.account)).size, 2);
  assert.deepEqual(await fleet.states(id), ["leased", "leased", "queued", "queued", "queued"]);
  const row = await fleet.one(
    "SELECT acked_at, lease_until, leased_day FROM deliveries WHERE state = 'leased'",
  );
  assert.deepEqual(row, {
    acked_at: null,
    lease_until: fleet.ctx.now() + lease.ttlMs,
    leased_day: 20261121,
  });
});

Deno.test("leaseDeliveries() gives a delivery to one site when many ask at once", async () => {
  await using fleet = await openFleet();
  const { id } = await sendNew(fleet, 40);
  const sites = await Promise.all(Array.from({ length: 8 }, () => fleet.addSite(3)));

  const leases = await Promise.all(sites.flatMap((site) => [pull(fleet, site, 1), pull(fleet, site, 1)]));
  const phones = leases.flatMap((lease) => lease?.items.map((item) => item.phone) ?? []);
  assert.equal(phones.length, 40);
  assert.equal(new Set(phones).size, 40);
  assert.ok((await fleet.states(id)).every((state) => state === "leased"));
});

Deno.test("leaseDeliveries() gives a delivery to one site when two instances lease from one database", async () => {
  await using fleet = await openFleet();
  const { id } = await sendNew(fleet, 30);
  const sites = [await fleet.addSite(5), await fleet.addSite(5)];
  const second = await connectDatabase(fleet.database.url);
  const instances = [fleet.ctx, { ...fleet.ctx, db: second }];

  const leases = await Promise.all(
    sites.flatMap((site, index) =>
      [1, 2, 3].map(() => {
        const devices = site.devices.map((device) => ({ id: device, room: 1 }));
        return leaseDeliveries(instances[index], { ...site, devices });
      })
    ),
  );
  second.close();
  const phones = leases.flatMap((lease) => lease?.items.map((item) => item.phone) ?? []);
  assert.equal(phones.length, 30);
  assert.equal(new Set(phones).size, 30);
  assert.equal((await fleet.one(`SELECT leased_count FROM campaigns WHERE id = ${id}`)).leased_count, 30);
});

Deno.test("leaseDeliveries() never gives a device more than one delivery and its prefetch", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  const site = await fleet.addSite(1);

  assert.equal((await pull(fleet, site))?.items.length, PREFETCH_PER_DEVICE + 1);
  assert.equal(await pull(fleet, site), null);
  const twice = [{ id: site.devices[0], room: 5 }, { id: site.devices[0], room: 5 }];
  assert.equal(await leaseDeliveries(fleet.ctx, { ...site, devices: twice }), null);

  const next = await fleet.addSite(1);
  assert.equal((await take(fleet, next)).items.length, PREFETCH_PER_DEVICE + 1);
  assert.equal(await pull(fleet, next), null, "what is acknowledged is in its hands as well");
});

Deno.test("leaseDeliveries() counts an offer as held by its device until it is acknowledged or expires", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  const site = await fleet.addSite(1);
  assert.equal((await pull(fleet, site))?.items.length, PREFETCH_PER_DEVICE + 1);
  for (let waitedMs = 0; waitedMs < LEASE_TTL_MS; waitedMs += LEASE_TTL_MS / 5) {
    fleet.pass(LEASE_TTL_MS / 5);
    assert.equal(await pull(fleet, site), null, `${waitedMs} ms`);
  }
  fleet.pass(1);
  await expireLeases(fleet.ctx);
  assert.equal((await pull(fleet, site))?.items.length, PREFETCH_PER_DEVICE + 1);
});

Deno.test("leaseDeliveries() gives every device one delivery before any gets a second", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 3);
  const lease = await pull(fleet, await fleet.addSite(3));
  assert.equal(new Set(lease?.items.map((item) => item.account)).size, 3);
});

Deno.test("leaseDeliveries() repeats no token and no attempt, so that no try is mistaken for another (rules 6 and 10)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite(1);
  const tokens = new Set<string>();
  for (let attempt = 1; attempt <= 4; attempt++) {
    const lease = await pull(fleet, site);
    assert.ok(lease);
    assert.equal(lease.items[0].attempt, attempt);
    tokens.add(lease.token);
    if (attempt % 2 === 0) await report(fleet, site, lease, "void");
    else await fleet.reconnect(site);
  }
  assert.equal(tokens.size, 4);
});

Deno.test("leaseDeliveries() returns room to the day it was taken from, though the row returns on another (caps)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite(1);
  const early = await take(fleet, site, 1);
  fleet.pass(24 * 60 * 60_000);
  await take(fleet, site, 1);
  await report(fleet, site, early, "void");
  const { rows } = await fleet.ctx.db.execute("SELECT day, used FROM account_days ORDER BY day");
  assert.deepEqual(rows.map((row) => ({ ...row })), [{ day: 20261121, used: 0 }, { day: 20261122, used: 1 }]);
});

Deno.test("leaseDeliveries() stops at a device's day over all its accounts, and goes on the next (caps)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  await fleet.ctx.db.execute(
    "INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '4', 0)",
  );
  const site = await fleet.addSite(1, 2);

  for (const expected of [3, 1, 0]) {
    const lease = await pull(fleet, site);
    assert.equal(lease?.items.length ?? 0, expected);
    if (lease) await report(fleet, site, lease, "sent");
  }
  fleet.pass(24 * 60 * 60_000);
  assert.equal((await pull(fleet, site))?.items.length, 3);
});

Deno.test("leaseDeliveries() counts in a device's day the messages of an account that is lost since (caps)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  await fleet.ctx.db.execute(
    "INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '4', 0)",
  );
  const site = await fleet.addSite(1, 2);
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "sent");
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET state = 'banned' WHERE key = ?",
    args: [lease.items[0]!.account],
  });
  assert.equal((await pull(fleet, site))?.items.length, 1);
});

Deno.test("leaseDeliveries() leases nothing for a phone of another site, whatever device the site names", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const [owner, other] = [await fleet.addSite(1), await fleet.addSite(1)];
  assert.equal(await pull(fleet, { ...other, devices: owner.devices }), null);
  assert.deepEqual(await fleet.states(campaign.id), ["queued", "queued", "queued"]);
});

Deno.test("leaseDeliveries() returns the room when a delivery returns untapped (caps)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  await fleet.ctx.db.execute(
    "INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '3', 0)",
  );
  const site = await fleet.addSite(1);

  const lease = await pull(fleet, site);
  assert.ok(lease);
  await report(fleet, site, lease, "void");
  assert.equal((await fleet.one("SELECT sum(used) AS used FROM account_days")).used, 0);
  assert.equal((await pull(fleet, site))?.items.length, 3);
});

Deno.test("leaseDeliveries() offers a returned row as unconfirmed until it is acknowledged again (rule 8)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await report(fleet, site, await take(fleet, site), "void");
  assert.ok(await pull(fleet, site));
  fleet.pass(LEASE_TTL_MS + 1);
  assert.equal(await expireLeases(fleet.ctx), 1);
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
});

Deno.test("leaseDeliveries() leases to the accounts of a device in turn", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  const site = await fleet.addSite(1, 3);

  const accounts: string[] = [];
  for (let round = 0; round < 6; round++) {
    const lease = await pull(fleet, site, 1);
    assert.ok(lease);
    accounts.push(...lease.items.map((item) => item.account));
    await report(fleet, site, lease, "sent");
    fleet.pass(1000);
  }
  assert.equal(new Set(accounts.slice(0, 3)).size, 3);
  assert.deepEqual(accounts.slice(0, 3), accounts.slice(3));
});

Deno.test("leaseDeliveries() passes over stopped devices and accounts that cannot send", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 20);
  const site = await fleet.addSite(3);
  const [, stopped, banned] = site.devices;
  await fleet.ctx.db.execute({ sql: "UPDATE devices SET stopped = 1 WHERE key = ?", args: [stopped] });
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET state = 'banned' WHERE key LIKE ?",
    args: [`${banned}/%`],
  });

  const lease = await pull(fleet, site, 1);
  assert.deepEqual(lease?.items.map((item) => item.account.split("/")[0]), [site.devices[0]]);
});

Deno.test("leaseDeliveries() serves the clients in turn and a client's oldest campaign first", async () => {
  await using fleet = await openFleet();
  const [big, small] = [await fleet.addClient(100), await fleet.addClient(100)];
  const first = await sendNew(fleet, 20, big);
  fleet.pass(1000);
  const second = await sendNew(fleet, 20, big);
  fleet.pass(1000);
  const other = await sendNew(fleet, 2, small);
  const site = await fleet.addSite(1);

  const served: number[] = [];
  for (let round = 0; round < 6; round++) {
    const lease = await pull(fleet, site, 1);
    assert.ok(lease);
    served.push(lease.campaign);
    await report(fleet, site, lease, "sent");
  }
  assert.deepEqual(served, [first.id, other.id, first.id, other.id, first.id, first.id]);
  assert.ok(!served.includes(second.id));
});

Deno.test("leaseDeliveries() counts a campaign's age from its send, not its creation", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(2);
  const written = await fleet.addCampaign(client, 1);
  const sent = await sendNew(fleet, 1, client);
  fleet.pass(1000);
  await sendCampaign(fleet.ctx, client, written.id);
  assert.equal((await pull(fleet, await fleet.addSite()))?.campaign, sent.id);
});

Deno.test("leaseDeliveries() skips and refunds suppressed numbers, of this client and of all", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(5);
  const other = await fleet.addClient(0);
  const { id, phones } = await sendNew(fleet, 5, client);
  await fleet.ctx.db.batch([
    "INSERT INTO suppressions (client, phone, source, at) VALUES (0, 972540000001, 'test', 0)",
    `INSERT INTO suppressions (client, phone, source, at) VALUES (${client.id}, 972540000002, 'test', 0)`,
    `INSERT INTO suppressions (client, phone, source, at) VALUES (${other.id}, 972540000003, 'test', 0)`,
  ], "write");
  const site = await fleet.addSite(1);

  const lease = await pull(fleet, site);
  assert.deepEqual(lease?.items.map((item) => item.phone), phones.slice(2));
  assert.deepEqual((await fleet.states(id)).slice(0, 2), ["skipped", "skipped"]);
  assert.equal((await fleet.one(`SELECT message_quota FROM users WHERE id = ${client.id}`)).message_quota, 2);
});

Deno.test("leaseDeliveries() passes a long run of suppressed numbers in slices", async () => {
  await using fleet = await openFleet();
  const { id, phones } = await sendNew(fleet, 1300);
  await fleet.ctx.db.execute(
    `INSERT INTO suppressions (client, phone, source, at)
     SELECT 0, phone, 'test', 0 FROM deliveries ORDER BY id LIMIT 1299`,
  );
  const site = await fleet.addSite(1);

  assert.deepEqual((await pull(fleet, site))?.items.map((item) => item.phone), [phones.at(-1)]);
  const row = await fleet.one(`SELECT skipped_count, leased_count FROM campaigns WHERE id = ${id}`);
  assert.deepEqual(row, { skipped_count: 1299, leased_count: 1 });
});

Deno.test("leaseDeliveries() leases a retry only when its time has come", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite(1);
  const lease = await pull(fleet, site);
  assert.ok(lease);
  await report(fleet, site, lease, "void", { temporary: true });

  assert.equal(await pull(fleet, site), null);
  fleet.pass(60_000);
  assert.equal((await pull(fleet, site))?.items[0].attempt, 2);
});

Deno.test("leaseDeliveries() returns deliveries in the order of the queue, retries last", async () => {
  await using fleet = await openFleet();
  const { phones } = await sendNew(fleet, 3);
  const site = await fleet.addSite(1);
  await report(fleet, site, await take(fleet, site, 1), "void", { temporary: true });
  fleet.pass(60_000);
  const [first, ...others] = phones;
  assert.deepEqual((await pull(fleet, site))?.items.map(({ phone }) => phone), [...others, first]);
});

Deno.test("leaseDeliveries() does not lease a waiting retry together with due deliveries", async () => {
  await using fleet = await openFleet();
  const { id, client, phones } = await sendNew(fleet, 3);
  const site = await fleet.addSite(1);
  await report(fleet, site, await take(fleet, site, 1), "void", { temporary: true });
  fleet.pass(59_999);
  const owner = { ...client, role: "client" } as const;
  await pauseCampaign(fleet.ctx, owner, id);
  await resumeCampaign(fleet.ctx, owner, id);
  assert.deepEqual((await pull(fleet, site))?.items.map((item) => item.phone), phones.slice(1));
});

Deno.test("leaseDeliveries() clears the previous attempt's acknowledgement and tap from the row", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite(1);
  await report(fleet, site, await take(fleet, site), "unknown", { tappedAt: 5 });
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
  assert.ok(await pull(fleet, site));
  const read = () => fleet.one("SELECT acked_at, tapped_at, reason FROM deliveries");
  assert.deepEqual(await read(), { acked_at: null, tapped_at: null, reason: null });
  await fleet.reconnect(site);
  assert.equal((await read()).reason, "offer_not_confirmed");
  assert.ok(await pull(fleet, site));
  assert.equal((await read()).reason, null);
});

Deno.test("leaseDeliveries() leases nothing to an older connection, nor before hello (rules 1 and 2)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 3);
  const site = await fleet.addSite(1);
  const old = { ...site };
  await fleet.reconnect(site);

  await assert.rejects(pull(fleet, old), SupersededError);
  await fleet.ctx.db.execute("UPDATE sites SET epoch = epoch + 1");
  await assert.rejects(pull(fleet, { ...site, epoch: site.epoch + 1 }), SupersededError);
});

Deno.test("leaseDeliveries() leases nothing to a draining or stopped site, or while a site owes its outcomes", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 3);
  const site = await fleet.addSite(1);
  const silent = await fleet.addSite(1);
  await createSite(fleet.ctx, "without a machine");
  async function leases(sql: string) {
    await fleet.ctx.db.execute(sql);
    return (await pull(fleet, site))?.items.length ?? 0;
  }
  assert.equal(await leases(`UPDATE sites SET draining = 1 WHERE id = ${site.site}`), 0);
  assert.equal(await leases(`UPDATE sites SET draining = 0, stopped = 1 WHERE id = ${site.site}`), 0);
  assert.equal(
    await leases(
      `UPDATE sites SET stopped = 0, answered_generation = CASE id WHEN ${silent.site} THEN 'old' ELSE answered_generation END`,
    ),
    0,
  );
  assert.equal(
    await leases("UPDATE sites SET answered_generation = NULL WHERE answered_generation = 'old'"),
    0,
  );
  assert.equal(
    await leases(`UPDATE sites SET revoked = 1 WHERE id = ${silent.site}`),
    3,
    "a site that no machine ever was has nothing to answer",
  );
});
