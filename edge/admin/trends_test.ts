import assert from "node:assert/strict";
import { type Trends, trendsSchema } from "shared/trends.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { passTo } from "../testing/rules.ts";
import { runAllDueTicks } from "../ticks.ts";
import { countRoundTrips } from "../testing/count_round_trips.ts";
import { localDay, localMidnight } from "../time/local_day.ts";
import { countTrends } from "./count_trends.ts";
import { readTrends as readTrendsOf } from "./read_trends.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
type Site = Awaited<ReturnType<AdminHouse["fleet"]["addSite"]>>;

async function readTrends(house: AdminHouse, search: string): Promise<Trends> {
  await countTrends(house.fleet.ctx);
  return trendsSchema.parse(await house.read(`/api/admin/trends?${search}`));
}

async function work(house: AdminHouse, site: Site, outcome: "sent" | "failed" | "unknown", count = 1) {
  await sendNew(house.fleet, count);
  for (let left = count; left > 0;) {
    const lease = await take(house.fleet, site);
    await report(house.fleet, site, lease, outcome);
    left -= lease.items.length;
  }
}

const figures = ({ sent, failed, unknown }: Record<"sent" | "failed" | "unknown", number>) => [
  sent,
  failed,
  unknown,
];

Deno.test("GET /api/admin/trends of an empty system says that nothing was measured", async () => {
  await using house = await openAdminHouse();
  const trends = await readTrends(house, "days=7&by=client");
  assert.equal(trends.measuredSince, null);
  assert.deepEqual([figures(trends.total), trends.before, trends.items, trends.more], [
    [0, 0, 0],
    null,
    [],
    0,
  ]);
  assert.equal(trends.points.length, 7);
  assert.ok(trends.points.every(({ sent, sentBefore }) => sent === null && sentBefore === null));
});

Deno.test("GET /api/admin/trends sums ended days by site, account and client, and leaves out today", async () => {
  await using house = await openAdminHouse();
  const north = await house.fleet.addSite(1);
  const south = await house.fleet.addSite(2);
  passTo(house.fleet, "2026-11-20T23:50:00+02:00");
  await work(house, north, "sent", 3);
  // The next local day, although UTC still has the same date.
  passTo(house.fleet, "2026-11-21T00:20:00+02:00");
  await work(house, north, "sent", 2);
  await work(house, south, "failed");
  await work(house, south, "unknown");
  passTo(house.fleet, "2026-11-22T10:00:00+02:00");
  await work(house, south, "sent", 4);
  for (const by of ["site", "account", "client"]) {
    const trends = await readTrends(house, `days=7&by=${by}`);
    assert.equal(trends.until, Date.parse("2026-11-22T00:00:00+02:00"), by);
    assert.equal(trends.from, Date.parse("2026-11-15T00:00:00+02:00"), by);
    assert.equal(trends.measuredSince, Date.parse("2026-11-20T00:00:00+02:00"), by);
    assert.deepEqual(figures(trends.total), [5, 1, 1], by);
    assert.deepEqual([trends.before, trends.sentSince], [null, 4], by);
    assert.deepEqual(trends.points.map(({ sent }) => sent), [null, null, null, null, null, 3, 2], by);
    assert.equal(trends.items.reduce((sum, { sent }) => sum + sent, 0), 5, by);
  }
  const { items } = await readTrends(house, "days=7&by=site");
  assert.deepEqual(items.map(figures), [[5, 0, 0], [0, 1, 1]]);
  const chosen = await readTrends(house, `days=7&by=site&id=${items[1]!.id}`);
  assert.deepEqual([figures(chosen.total), chosen.sentSince], [[0, 1, 1], 4]);
  assert.equal(chosen.items.length, 2, "the list stays whole");
  const [{ place, name, account }] = (await readTrends(house, "by=account")).items as [Trends["items"][0]];
  assert.ok(name !== "" && place !== "");
  assert.equal(account, "com.whatsapp/0", "two accounts of a phone differ in it alone");
});

Deno.test("GET /api/admin/trends compares with the days before, over a change of the clock", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(1);
  passTo(house.fleet, "2026-10-14T12:00:00+03:00");
  await work(house, site, "sent", 1);
  passTo(house.fleet, "2026-10-20T23:30:00+03:00");
  await work(house, site, "sent", 2);
  // On the 25th the clock goes back: the day has 25 hours.
  passTo(house.fleet, "2026-10-25T23:30:00+02:00");
  await work(house, site, "sent", 3);
  passTo(house.fleet, "2026-10-28T10:00:00+02:00");
  const { total, before, points, items } = await readTrends(house, "days=7&by=site");
  assert.deepEqual([total.sent, before?.sent, items[0]!.sentBefore], [3, 3, 3]);
  assert.deepEqual(points.map(({ sent }) => sent), [0, 0, 0, 0, 3, 0, 0]);
  assert.deepEqual(points.map(({ sentBefore }) => sentBefore), [1, 0, 0, 0, 0, 0, 2]);
});

Deno.test("countTrends() counts each day once, after its end, and again after a day without ticks", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(1);
  passTo(fleet, "2026-11-20T12:00:00+02:00");
  await work(house, site, "sent", 2);
  passTo(fleet, "2026-11-21T00:05:00+02:00");
  await countTrends(fleet.ctx);
  const days = () => fleet.one("SELECT count(*) AS days, sum(sent) AS sent FROM client_trends");
  assert.deepEqual(await days(), { days: 0, sent: null }, "another edge may still write into yesterday");
  passTo(fleet, "2026-11-21T12:00:00+02:00");
  await work(house, site, "sent", 1);
  passTo(fleet, "2026-11-23T12:00:00+02:00");
  for (const _ of [1, 2]) {
    await countTrends(fleet.ctx);
    assert.deepEqual(await days(), { days: 2, sent: 3 });
  }
});

Deno.test("hours stay until their day is counted, however long the edge was stopped, and trends for 400 days", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(1);
  await countTrends(fleet.ctx);
  await work(house, site, "sent", 2);
  fleet.pass(60 * DAY_MS);
  await runAllDueTicks(fleet.ctx);
  fleet.pass(2 * HOUR_MS);
  await runAllDueTicks(fleet.ctx);
  const left = () =>
    fleet.one(
      `SELECT (SELECT count(*) FROM account_hours) AS hours, (SELECT count(*) FROM client_hours) AS clients,
      (SELECT sum(sent) FROM account_trends) AS "ofAccounts", (SELECT sum(sent) FROM client_trends) AS "ofClients"`,
    );
  assert.deepEqual(await left(), { hours: 0, clients: 0, ofAccounts: 2, ofClients: 2 });
  fleet.pass(342 * DAY_MS);
  await runAllDueTicks(fleet.ctx);
  assert.deepEqual(await left(), { hours: 0, clients: 0, ofAccounts: null, ofClients: null });
});

Deno.test("a clock that was days ahead leaves no day of the future, and loses no outcome", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(1);
  await countTrends(fleet.ctx);
  fleet.pass(3 * DAY_MS);
  await work(house, site, "sent", 2);
  fleet.pass(DAY_MS);
  await countTrends(fleet.ctx);
  assert.equal((await fleet.one("SELECT count(*) AS days FROM client_trends")).days, 1);
  fleet.pass(-4 * DAY_MS);
  await runAllDueTicks(fleet.ctx);
  assert.equal((await fleet.one("SELECT count(*) AS days FROM client_trends")).days, 0);
  fleet.pass(DAY_MS);
  for (const by of ["site", "client"]) {
    assert.equal((await readTrends(house, `days=7&by=${by}`)).total.sent, 2, by);
  }
});

Deno.test("GET /api/admin/trends shows the 50 largest and counts the others; other words are refused", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  await fleet.addSite(60);
  await fleet.ctx.db.execute(`INSERT INTO account_trends (day, account, sent, failed, unknown)
    SELECT 20240101, id, id, 0, 0 FROM accounts`);
  passTo(fleet, "2024-01-03T10:00:00+02:00");
  const { items, more } = await readTrends(house, "days=7&by=account");
  assert.deepEqual([items.length, more, items[0]!.sent], [50, 10, 60]);
  for (const search of ["days=8", "by=phone", "id=0", "id=1.5", "days=7&by=site&id=x"]) {
    assert.equal((await house.admin.ask(`/api/admin/trends?${search}`)).status, 400, search);
  }
});

Deno.test("readTrends() sums many clients in slices, and ends when its caller left", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const clients = 6_000;
  const until = localMidnight(ctx.now() - HOUR_MS);
  await ctx.db.execute(`WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ${clients})
    INSERT INTO users (username, username_key, password_hash, role, created_at)
    SELECT 'c' || v, 'c' || v, '', 'client', 0 FROM n`);
  for (let day = 1; day <= 14; day++) {
    await ctx.db.execute(`INSERT INTO client_trends (day, client, sent, failed, unknown)
      SELECT ${localDay(until - day * DAY_MS + HOUR_MS)}, id, id, 2, 1 FROM users WHERE role = 'client'`);
  }
  const { db, taken } = countRoundTrips(ctx.db);

  const trends = await readTrendsOf({ ...ctx, db }, { days: 7, by: "client" });

  const { total } = await house.fleet.one("SELECT sum(sent) AS total FROM client_trends");
  assert.deepEqual([trends.total.sent, trends.before?.sent], [Number(total) / 2, Number(total) / 2]);
  const [largest] = trends.items;
  assert.deepEqual([largest!.sent, largest!.failed, largest!.sentBefore], [
    7 * largest!.id,
    14,
    7 * largest!.id,
  ]);
  assert.equal(trends.more, clients - 50);
  const slices = Math.ceil(clients / Math.floor(10_000 / 14));
  assert.equal(taken(), 2 + slices + 1, "between the facts and the names");

  taken();
  await readTrendsOf({ ...ctx, db }, { days: 7, by: "site" });
  assert.equal(taken(), 1, "of a few everything is read at once");

  const left = AbortSignal.abort();
  await assert.rejects(readTrendsOf(ctx, { days: 7, by: "client" }, left), { code: "invalid_input" });
});
