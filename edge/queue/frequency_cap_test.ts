/** How often one client's marketing may reach a recipient, as the claim counts it. */
import assert from "node:assert/strict";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { balanceOf, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { sendAll, sendMarketing, setRules } from "../testing/rules.ts";
import { auditQueue } from "./audit.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";

const DAY_MS = 24 * 60 * 60_000;

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

Deno.test("leaseDeliveries() waits for a number that another marketing campaign holds, and leases the others", async () => {
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

Deno.test("leaseDeliveries() does not wait for a number that a service campaign holds", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(2);
  const [away, site] = [await fleet.addSite(1), await fleet.addSite(1)];
  await sendNew(fleet, 1, client);
  await take(fleet, away);
  const { id } = await sendMarketing(fleet, 1, client);
  assert.equal((await pull(fleet, site))?.campaign, id);
});

Deno.test("leaseDeliveries() passes over held numbers, also when more of them begin the list than one look takes", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false });
  const client = await fleet.addClient(9);
  const [away, site] = [await fleet.addSite(1), await fleet.addSite(1)];
  await sendMarketing(fleet, 3, client);
  assert.equal((await take(fleet, away)).items.length, 3);
  const { phones } = await sendMarketing(fleet, 4, client);
  assert.deepEqual((await pull(fleet, site, 1))?.items.map((item) => item.phone), phones.slice(3));
});

Deno.test("leaseDeliveries() counts an unknown delivery for the cap, until it is known to be unsent", async () => {
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

Deno.test("leaseDeliveries() counts an unknown earlier attempt for the cap while the next one waits", async () => {
  await using fleet = await openFleet();
  const { client, owner, site, first } = await sentAgainInDoubt(fleet);
  const second = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 0);
  assert.deepEqual(await fleet.states(second.id), ["skipped"]);
  await resumeCampaign(fleet.ctx, owner, first.id);
  assert.equal(await sendAll(fleet, site), 1, "its own campaign may send it again, as the person meant");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("leaseDeliveries() counts a sent second attempt for the cap, though the first turns out untapped", async () => {
  await using fleet = await openFleet();
  const { client, owner, site, first, doubtful } = await sentAgainInDoubt(fleet);
  await resumeCampaign(fleet.ctx, owner, first.id);
  assert.equal(await sendAll(fleet, site), 1);
  assert.deepEqual(await report(fleet, site, doubtful, "failed"), ["applied"]);
  const second = await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 0);
  assert.deepEqual(await fleet.states(second.id), ["skipped"]);
});

Deno.test("leaseDeliveries() counts the second of two unknown attempts for the cap, though the first was untapped", async () => {
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

Deno.test("leaseDeliveries() no longer counts an unknown attempt for the cap once its site reports it untapped", async () => {
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

Deno.test("leaseDeliveries() leases a client's test though the cap would hold up its own number", async () => {
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

Deno.test("leaseDeliveries() counts a recipient's week to the millisecond", async () => {
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
