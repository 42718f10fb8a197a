import assert from "node:assert/strict";
import { LEASE_TTL_MS, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { createSite } from "../sites/create_site.ts";
import { enrollSite } from "../sites/enroll.ts";
import { JOIN_TOKEN_MS } from "../sites/join_token.ts";
import { SESSION_MAX_MS } from "../auth/sessions.ts";
import { MAX_TRIES, THROTTLE_WINDOW_MS } from "../auth/login_throttle.ts";
import { readFleet } from "../campaigns/fleet.ts";
import { COMMAND_TIMEOUT_MS, timeOutCommands } from "../devices/finish_commands.ts";
import { readCommand } from "../devices/read_commands.ts";
import { sendCommand } from "../devices/send_command.ts";
import { watchCampaigns } from "../health/check_campaigns.ts";
import { releaseAccount } from "../health/release_account.ts";
import { restAccounts } from "../health/rest_accounts.ts";
import { sendCampaign } from "../queue/send.ts";
import { allRows } from "../testing/all_rows.ts";
import { type Fleet, makeKey, openFleet } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { passTo, sendAll, sendMarketing, setRules } from "../testing/rules.ts";
import { openTestApp, TEST_PASSWORD } from "../testing/test_app.ts";
import { runAllDueTicks } from "../ticks.ts";
import { setLargeTablesBack, setTimesBack } from "./set_times_back.ts";

const YEAR_MS = 365 * 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const boss = { person: 1, username: "boss" };

/** Runs `act` while the clock is a year ahead, corrects the clock, and runs the ticks. */
async function whileAhead<T>(fleet: Fleet, act: () => Promise<T>): Promise<T> {
  fleet.pass(YEAR_MS);
  const done = await act();
  fleet.pass(-YEAR_MS);
  await runAllDueTicks(fleet.ctx);
  return done;
}

Deno.test("setTimesBack() starts a site's silence now, not in a year", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await whileAhead(fleet, () => take(fleet, site));
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
  fleet.pass(SILENCE_LIMIT_MS + LEASE_TTL_MS);
  await runAllDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
});

Deno.test("setTimesBack() counts leases made while the clock was ahead in today's cap only (I6)", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { maxMessagesPerDay: 5, hourlyPercent: 100 });
  const campaign = await sendNew(fleet, 20);
  const site = await fleet.addSite();
  assert.equal(await sendAll(fleet, site, { most: 1 }), 1);
  await whileAhead(fleet, async () => {
    assert.equal(await sendAll(fleet, site, { most: 2 }), 2);
    await report(fleet, site, await take(fleet, site, 1), "void");
  });
  assert.equal(await sendAll(fleet, site), 2);
  fleet.pass(DAY_MS);
  assert.equal(await sendAll(fleet, site), 5);
  assert.equal((await fleet.states(campaign.id)).filter((state) => state === "sent").length, 10);
});

Deno.test("setTimesBack() counts today the leases to unconfirmed accounts while the clock was ahead", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { unconfirmedPerDay: 3, hourlyPercent: 100 });
  await sendNew(fleet, 20);
  const site = await fleet.addSite();
  await fleet.ctx.db.execute("UPDATE accounts SET trusted = 0");
  await whileAhead(fleet, async () => {
    const lease = await take(fleet, site);
    assert.equal(lease.items.length, 3);
    await report(fleet, site, lease, "void");
  });
  await fleet.show(site);
  await fleet.ctx.db.execute("UPDATE accounts SET trusted = 0");
  assert.equal(await pull(fleet, site), null);
});

Deno.test("setTimesBack() returns today's room for a lease made while the clock was ahead", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { maxMessagesPerDay: 3, hourlyPercent: 100 });
  await sendNew(fleet, 20);
  const site = await fleet.addSite();
  const lease = await whileAhead(fleet, () => take(fleet, site));
  assert.equal(lease.items.length, 3);
  await report(fleet, site, lease, "void");
  assert.equal(await sendAll(fleet, site), 3);
});

Deno.test("setTimesBack() shows a site as disconnected when its last frame is in the future", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  await whileAhead(fleet, () => fleet.show(site));
  assert.equal((await readFleet(fleet.ctx)).devices.all, 1);
  fleet.pass(31_000);
  assert.equal((await readFleet(fleet.ctx)).devices.all, 0);
});

Deno.test("setTimesBack() ends a pilot's wait after its chosen length from now", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(4);
  const campaign = await fleet.addCampaign(client, 4);
  await fleet.ctx.db.execute("UPDATE campaigns SET pilot_count = 1, pilot_wait_ms = 1800000");
  await sendCampaign(fleet.ctx, client, campaign.id);
  const site = await fleet.addSite();
  assert.equal(await sendAll(fleet, site), 1);
  await whileAhead(fleet, () => watchCampaigns(fleet.ctx));
  fleet.pass(1_799_999);
  await runAllDueTicks(fleet.ctx);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(5_001);
  await runAllDueTicks(fleet.ctx);
  assert.equal((await pull(fleet, site))?.items.length, 3);
});

Deno.test("setTimesBack() starts a send after the longest wait from now when its edge's clock was ahead", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const client = await fleet.addClient(1);
  const { id } = await fleet.addCampaign(client, 1);
  const ahead = { ...fleet.ctx, now: () => fleet.ctx.now() + 365 * 86_400_000 };
  await sendCampaign(ahead, client, id, { delaySeconds: 10 });
  await setTimesBack(fleet.ctx);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(60_000);
  assert.equal((await pull(fleet, site))?.items.length, 1);
});

Deno.test("setLargeTablesBack() counts the days between two advertisements from now, and not from next year", async () => {
  await using fleet = await openFleet();
  passTo(fleet, "2026-11-23T08:00:00Z");
  const client = await fleet.addClient(2);
  await sendMarketing(fleet, 1, client);
  const site = await fleet.addSite();
  // A whole number of weeks ahead, so that the hours are open again.
  const weeksMs = 52 * 7 * DAY_MS;
  fleet.pass(weeksMs);
  assert.equal(await sendAll(fleet, site), 1);
  fleet.pass(-weeksMs);
  await setLargeTablesBack(fleet.ctx);
  fleet.pass(8 * DAY_MS);
  await fleet.show(site);
  await sendMarketing(fleet, 1, client);
  assert.equal(await sendAll(fleet, site), 1);
});

Deno.test("setTimesBack() ends an unanswered command", async () => {
  await using fleet = await openFleet();
  await fleet.addSite();
  const { id } = await whileAhead(fleet, () => sendCommand(fleet.ctx, boss, 1, "stop"));
  fleet.pass(COMMAND_TIMEOUT_MS.stop);
  await timeOutCommands(fleet.ctx);
  assert.equal((await readCommand(fleet.ctx, id)).status, "timed_out");
});

Deno.test("setTimesBack() judges an account by its last day when its release was dated in the future", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  const site = await fleet.addSite();
  const trip = async () => (await fleet.one("SELECT trip FROM accounts")).trip as number | null;
  const fail = async () => {
    await sendNew(fleet, 50);
    await sendAll(fleet, site, { most: 40 });
    await sendAll(fleet, site, { most: 10, outcome: "failed" });
    await restAccounts(fleet.ctx);
  };
  await fail();
  const first = await trip();
  assert.ok(first !== null);
  await whileAhead(fleet, () => releaseAccount(fleet.ctx, boss, 1, first));
  assert.equal(await trip(), null);
  fleet.pass(3_600_000);
  await fail();
  assert.ok(await trip() !== null);
});

Deno.test("setTimesBack() limits a join token to the usual time", async () => {
  await using fleet = await openFleet();
  const { joinToken } = await whileAhead(fleet, () => createSite(fleet.ctx, "אתר"));
  fleet.pass(JOIN_TOKEN_MS + 1);
  const { publicKey } = await makeKey();
  await assert.rejects(enrollSite(fleet.ctx, { joinToken, publicKey }), { code: "join_token_invalid" });
});

Deno.test("setTimesBack() ends sessions and throttles that a clock dated in the future", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const logIn = (username: string, password: string, address: string) =>
    edge.visitor.ask("/api/auth/login", { method: "POST", json: { username, password }, address });
  edge.clock.now += YEAR_MS;
  const session = await logIn(person.username, TEST_PASSWORD, "192.0.2.1");
  assert.equal(session.status, 200);
  for (let no = 0; no <= MAX_TRIES.pair; no++) await logIn(person.username, `wrong ${no}`, "203.0.113.9");
  edge.clock.now -= YEAR_MS;
  assert.equal((await logIn(person.username, TEST_PASSWORD, "203.0.113.9")).status, 429);
  await setTimesBack(edge.ctx);
  edge.clock.now += THROTTLE_WINDOW_MS;
  assert.equal((await logIn(person.username, TEST_PASSWORD, "203.0.113.9")).status, 200);
  edge.clock.now += SESSION_MAX_MS;
  await runAllDueTicks(edge.ctx);
  assert.equal((await edge.ctx.db.execute("SELECT * FROM sessions")).rows.length, 0);
});

Deno.test("setTimesBack() writes nothing while every clock is right, or a minute ahead", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 3);
  const site = await fleet.addSite();
  fleet.pass(60_000);
  await report(fleet, site, await take(fleet, site, 1), "sent");
  await take(fleet, site, 1);
  await sendCommand(fleet.ctx, boss, 1, "stop");
  fleet.pass(-60_000);
  const before = await allRows(fleet.ctx.db);
  await setTimesBack(fleet.ctx);
  await setLargeTablesBack(fleet.ctx);
  assert.deepEqual(await allRows(fleet.ctx.db), before);
});
