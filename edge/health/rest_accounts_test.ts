import assert from "node:assert/strict";
import { auditQueue } from "../queue/audit.ts";
import { countsAndEvents } from "../testing/counts_and_events.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { pull, recalled, sendNew, take } from "../testing/queue_acts.ts";
import { sendAll, setRules } from "../testing/rules.ts";
import { releaseAccount } from "./release_account.ts";
import { restAccounts } from "./rest_accounts.ts";

const HOUR_MS = 60 * 60_000;
const admin = { person: 1 };

/** The shares of campaigns are disabled: only the account is judged here. */
async function failing(fleet: Fleet) {
  await setRules(fleet, { hourlyPercent: 100 });
  await sendNew(fleet, 300);
  const site = await fleet.addSite(1);
  await sendAll(fleet, site, { most: 44 });
  await fleet.ctx.db.execute("INSERT INTO settings VALUES ('breakerFailedPercent', '100', 0, NULL)");
  await sendAll(fleet, site, { most: 6, outcome: "failed" });
  await fleet.ctx.db.execute("DELETE FROM settings WHERE key = 'breakerFailedPercent'");
  return site;
}

Deno.test("restAccounts() rests an account whose last day failed, gives its work to others and shows why", async () => {
  await using fleet = await openFleet();
  const site = await failing(fleet);
  const held = await take(fleet, site, 1);
  const offered = await pull(fleet, site, 1);
  assert.ok(offered);
  await restAccounts(fleet.ctx);
  const { held: counts, sent } = await countsAndEvents(fleet.ctx.db);
  assert.deepEqual(sent, counts, "browsers on the campaign receive the returned rows");
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual((await recalled(fleet)).map(({ token }) => token), [held.token]);
  const other = await fleet.addSite(1);
  assert.equal((await take(fleet, other, 1)).items[0].phone, offered.items[0].phone);
  const alert = await fleet.one("SELECT data FROM events WHERE type = 'alert'");
  assert.match(String(alert.data), /חשבון במכשיר Pixel הופסק אוטומטית\. 12% מההודעות/);
  const audited = await fleet.one("SELECT data FROM audit_log WHERE kind = 'account_rested'");
  assert.equal(JSON.parse(String(audited.data)).count, 6);
  await restAccounts(fleet.ctx);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM breaker_trips")).n, 1, "once");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("restAccounts() judges the last 24 clock hours, and none before them", async () => {
  for (const [hours, trips] of [[23, 1], [24, 0]]) {
    await using fleet = await openFleet();
    await failing(fleet);
    fleet.pass(hours! * HOUR_MS);
    await restAccounts(fleet.ctx);
    assert.equal(
      (await fleet.one("SELECT count(*) AS n FROM breaker_trips")).n,
      trips,
      `${hours} hours later`,
    );
  }
});

Deno.test("restAccounts() counts nothing from before the newest of several releases", async () => {
  await using fleet = await openFleet();
  const site = await failing(fleet);
  for (const trips of [1, 2]) {
    await restAccounts(fleet.ctx);
    const { id, trip } = await fleet.one("SELECT id, trip FROM accounts");
    fleet.pass(HOUR_MS);
    await fleet.reconnect(site);
    await releaseAccount(fleet.ctx, admin, Number(id), Number(trip));
    await restAccounts(fleet.ctx);
    assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM breaker_trips"), { n: trips });
    // The hour of a release does not count.
    fleet.pass(HOUR_MS);
    await setRules(fleet, { breakerUnknownPercent: 100, breakerFailedPercent: 100 });
    if (trips === 1) await sendAll(fleet, site, { most: 50, outcome: "failed" });
    await setRules(fleet, { breakerFailedPercent: 10 });
  }
});

Deno.test("restAccounts() of two edges at once rests an account once", async () => {
  await using fleet = await openFleet();
  await failing(fleet);
  await Promise.all([restAccounts(fleet.ctx), restAccounts(fleet.ctx)]);
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM breaker_trips"), { n: 1 });
});

Deno.test("releaseAccount() requires the reason, and judges the account by later outcomes", async () => {
  await using fleet = await openFleet();
  const site = await failing(fleet);
  await restAccounts(fleet.ctx);
  const { id, trip } = await fleet.one("SELECT id, trip FROM accounts");
  const [account, reason] = [Number(id), Number(trip)];
  await assert.rejects(releaseAccount(fleet.ctx, admin, account, reason + 1), {
    code: "reason_not_confirmed",
  });
  await assert.rejects(releaseAccount(fleet.ctx, admin, account + 1, reason), { code: "not_found" });
  await fleet.ctx.db.execute("DELETE FROM events");
  await releaseAccount(fleet.ctx, admin, account, reason);
  const calls = await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'workWaiting'");
  assert.equal(calls.n, 1, "its site asks for work again");
  await assert.rejects(releaseAccount(fleet.ctx, admin, account, reason), { code: "reason_not_confirmed" });
  await restAccounts(fleet.ctx);
  assert.ok(await pull(fleet, site), "what was seen does not count again");
  fleet.pass(HOUR_MS);
  await fleet.reconnect(site);
  await setRules(fleet, { breakerUnknownPercent: 100, breakerFailedPercent: 100 });
  await sendAll(fleet, site, { most: 50, outcome: "failed" });
  await setRules(fleet, { breakerFailedPercent: 10 });
  await restAccounts(fleet.ctx);
  assert.equal(await pull(fleet, site), null);
});
