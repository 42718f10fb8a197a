import assert from "node:assert/strict";
import { MAX_VALID_MS, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { openFleet, START } from "../testing/fleet.ts";
import { acknowledge, pull, report, sendNew, statusOf } from "../testing/queue_acts.ts";
import { SupersededError } from "./fence.ts";
import { settleSilent } from "./settle_silent.ts";

Deno.test("acknowledgeLease() names the confirmed phones and starts the campaign (rules 7 and 15, processing → active)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site);
  assert.ok(lease);
  assert.equal(await statusOf(fleet, campaign), "processing");

  const go = await acknowledge(fleet, site, lease.token);
  assert.deepEqual(go.items, campaign.phones.map((phone) => ({ phone, validMs: MAX_VALID_MS })));
  assert.equal(await statusOf(fleet, campaign), "active");
  const started = await fleet.one("SELECT client, data FROM events WHERE type = 'campaign_started'");
  assert.equal(started.client, campaign.client.id);
  assert.equal(JSON.parse(String(started.data)).totalContacts, 3);
  fleet.pass(1_000);
  await acknowledge(fleet, site, lease.token);
  assert.deepEqual(await fleet.one("SELECT first_acked_at AS at FROM campaigns"), { at: START }, "once");
});

Deno.test("acknowledgeLease() repeated answers again with the remaining time of the lease (rule 7)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site);
  assert.ok(lease);

  const first = await acknowledge(fleet, site, lease.token);
  assert.deepEqual(await acknowledge(fleet, site, lease.token), first);
  await report(fleet, site, { ...lease, items: lease.items.slice(0, 1) }, "sent");
  const left = await acknowledge(fleet, site, lease.token);
  assert.deepEqual(left.items.map((item) => item.phone), [lease.items[1].phone]);
});

Deno.test("acknowledgeLease() repeated does not restart the day of silence (rule 8)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site);
  assert.ok(lease);
  await acknowledge(fleet, site, lease.token);
  fleet.pass(5_000);
  await acknowledge(fleet, site, lease.token);
  fleet.pass(SILENCE_LIMIT_MS - 4_999);
  assert.equal(await settleSilent(fleet.ctx), 1);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
});

Deno.test("acknowledgeLease() confirms no offer that expired, was taken back, or is another site's (rule 7)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  const lease = await pull(fleet, site, 1);
  assert.ok(lease);

  assert.deepEqual((await acknowledge(fleet, other, lease.token)).items, []);
  assert.deepEqual((await acknowledge(fleet, site, "0".repeat(32))).items, []);
  await fleet.reconnect(site);
  assert.deepEqual((await acknowledge(fleet, site, lease.token)).items, []);
  assert.deepEqual(await fleet.states(campaign.id), ["queued", "queued"]);
  assert.equal(await statusOf(fleet, campaign), "processing");
});

Deno.test("acknowledgeLease() omits a number suppressed since, and all rows of a paused campaign (rule 7)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 4);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site, 2);
  assert.ok(lease);
  await fleet.ctx.db.execute(
    "INSERT INTO suppressions (phone, source, at) SELECT phone, 'test', 0 FROM deliveries ORDER BY id LIMIT 1",
  );
  const go = await acknowledge(fleet, site, lease.token);
  assert.deepEqual(go.items.map((item) => item.phone), [lease.items[1].phone]);

  const second = await pull(fleet, site, 1);
  assert.ok(second);
  await fleet.ctx.db.execute("UPDATE campaigns SET status = 'paused'");
  assert.deepEqual((await acknowledge(fleet, site, second.token)).items, []);
});

Deno.test("acknowledgeLease() omits numbers suppressed for this client or for all, and no others (I5)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(3);
  const other = await fleet.addClient(0);
  const { phones } = await sendNew(fleet, 3, client);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site);
  assert.equal(lease?.items.length, 3);
  const clients = [client.id, other.id, 0];
  await fleet.ctx.db.batch(
    clients.map((id, no) =>
      `INSERT INTO suppressions (client, phone, source, at) VALUES (${id}, ${
        phones[no]!.slice(1)
      }, 'test', 0)`
    ),
    "write",
  );
  const go = await acknowledge(fleet, site, lease.token);
  assert.deepEqual(go.items.map((item) => item.phone), [phones[1]]);
});

Deno.test("acknowledgeLease() allows no time after midnight, and confirms no offer of the day before (rule 15)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 4);
  const site = await fleet.addSite();
  // 22:00 UTC is midnight in Jerusalem in November.
  fleet.pass(Date.UTC(2026, 10, 21, 21, 59, 0) - START);
  const early = await pull(fleet, site, 1);
  const late = await pull(fleet, site, 1);
  assert.ok(early && late);
  assert.deepEqual((await acknowledge(fleet, site, early.token)).items.map((item) => item.validMs), [60_000]);

  fleet.pass(61_000);
  assert.deepEqual((await acknowledge(fleet, site, late.token)).items, []);
  assert.deepEqual((await acknowledge(fleet, site, early.token)).items.map((item) => item.validMs), [0]);
});

Deno.test("acknowledgeLease() refuses an older connection (rule 1)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await pull(fleet, site);
  assert.ok(lease);
  const old = { ...site };
  await fleet.reconnect(site);
  await assert.rejects(acknowledge(fleet, old, lease.token), SupersededError);
});
