import { localDay } from "../time/local_day.ts";
import assert from "node:assert/strict";
import { dashboardSchema } from "shared/admin_api.ts";
import { readGeneration, renewGeneration } from "../sites/generation.ts";
import { takeOutcomes } from "../sites/outcomes.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { passTo } from "../testing/rules.ts";
import { measureFleet } from "./measure_fleet.ts";

const HOUR_MS = 60 * 60_000;

async function dashboard(house: AdminHouse) {
  await measureFleet(house.fleet.ctx);
  return dashboardSchema.parse(await house.read("/api/admin/dashboard"));
}

/** Leases and sends this many messages now. */
async function send(
  house: AdminHouse,
  count: number,
  site: Awaited<ReturnType<AdminHouse["fleet"]["addSite"]>>,
) {
  await sendNew(house.fleet, count);
  for (let left = count; left > 0;) {
    const lease = await take(house.fleet, site);
    await report(house.fleet, site, lease, "sent");
    left -= lease.items.length;
  }
}

Deno.test("GET /api/admin/dashboard of an empty system is zeros, nothing measured yesterday", async () => {
  await using house = await openAdminHouse();
  const before = dashboardSchema.parse(await house.read("/api/admin/dashboard"));
  assert.equal(before.measuredAt, null);
  const { stats, fleet, devices, reset, measuredAt, sendRate } = await dashboard(house);
  assert.equal(measuredAt, house.fleet.ctx.now());
  for (const stat of Object.values(stats)) {
    assert.deepEqual([stat.value, stat.yesterday, stat.change], [0, null, null]);
  }
  assert.deepEqual(Object.values(fleet), Array(8).fill(0));
  assert.deepEqual([devices, reset], [[], { waitingMessages: 0, runningCampaigns: 0, sentToday: 0 }]);
  assert.deepEqual(sendRate.map(({ sent }) => sent), Array(12).fill(0));
});

Deno.test("GET /api/admin/dashboard counts the messages of today in Israel, in two-hour buckets", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(2);
  // The clock shows 10:00; 12 hours earlier it was 22:00 yesterday.
  house.fleet.pass(-12 * HOUR_MS);
  await send(house, 5, site);
  house.fleet.pass(11 * HOUR_MS);
  await send(house, 2, site);
  house.fleet.pass(HOUR_MS);
  await send(house, 4, site);
  const { stats, sendRate, reset } = await dashboard(house);
  assert.equal(stats.messagesToday.value, 6);
  assert.equal(reset.sentToday, 6);
  // 22:00 … 08:00, 10:00: the current hour is in the last bucket.
  assert.deepEqual(sendRate.map(({ sent }) => sent), [0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 2, 4]);
  assert.equal(sendRate.at(-1)!.at, house.fleet.ctx.now());
  assert.deepEqual(stats.messagesToday.trend, sendRate.map(({ sent }) => sent));
});

Deno.test("GET /api/admin/dashboard compares with yesterday at this hour", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(1, 2);
  await send(house, 3, site);
  await dashboard(house);
  house.fleet.pass(5 * HOUR_MS);
  await send(house, 4, site);
  await dashboard(house);
  house.fleet.pass(19 * HOUR_MS);
  await house.fleet.ctx.db.execute(
    "UPDATE accounts SET state = 'banned', updated_at = first_seen_at WHERE id = 1",
  );
  const later = await house.fleet.addSite(1);
  await send(house, 1, later);
  const { stats } = await dashboard(house);
  const brief = ({ value, yesterday, change }: typeof stats.banRate) => [value, yesterday, change];
  // Yesterday's messages of 15:00 come after this hour.
  assert.deepEqual(brief(stats.messagesToday), [1, 0, 1], "10:00 sharp: nothing of that hour had been sent");
  assert.deepEqual(brief(stats.totalDevices), [2, 1, 1]);
  // The first site has not been heard from since.
  assert.deepEqual(brief(stats.activeSessions), [1, 2, -1]);
  assert.deepEqual(brief(stats.banRate), [33.3, 0, 33.3]);
  house.fleet.pass(HOUR_MS);
  assert.equal((await dashboard(house)).stats.messagesToday.yesterday, 3);
});

Deno.test("GET /api/admin/dashboard compares by local clock time over a clock change", async () => {
  await using house = await openAdminHouse();
  passTo(house.fleet, "2026-10-24T10:10:00+03:00");
  const site = await house.fleet.addSite(1);
  await dashboard(house);
  passTo(house.fleet, "2026-10-25T10:10:00+02:00");
  assert.equal((await dashboard(house)).stats.totalDevices.yesterday, 1, "25 hours before");

  passTo(house.fleet, "2027-03-26T10:10:00+03:00");
  await send(house, 2, site);
  passTo(house.fleet, "2027-03-26T11:10:00+03:00");
  await send(house, 3, site);
  passTo(house.fleet, "2027-03-27T11:00:00+03:00");
  assert.equal(
    (await dashboard(house)).stats.messagesToday.yesterday,
    2,
    "a day that had 23 hours until midnight",
  );
});

Deno.test("GET /api/admin/dashboard puts every device in one place of the fleet, and shows the connected", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(8);
  await sendNew(house.fleet, 1);
  const lease = await take(house.fleet, site, 1);
  const busy = lease.items[0]!.account.split("/")[0];
  const [ready, offline, banned, risky, stopped, lost, full] = site.devices.filter((key) => key !== busy);
  const set = (table: string, change: string, key: string) =>
    house.fleet.ctx.db.execute({ sql: `UPDATE ${table} SET ${change} WHERE key LIKE ? || '%'`, args: [key] });
  await set("devices", "state = 'offline'", offline!);
  await set("accounts", "state = 'banned'", banned!);
  await set("accounts", `banned_at = ${house.fleet.ctx.now() - 20 * 24 * HOUR_MS}`, risky!);
  await set("accounts", "state = 'logged_out'", lost!);
  await house.fleet.ctx.db.execute({
    sql:
      "INSERT INTO account_days (account, day, used) SELECT id, ?, 250 FROM accounts WHERE key LIKE ? || '%'",
    args: [localDay(house.fleet.ctx.now()), full!],
  });
  await set("devices", "stopped = 1", stopped!);
  const { fleet, devices, reset } = await dashboard(house);
  assert.deepEqual(fleet, {
    sending: 1,
    ready: 1,
    stopped: 1,
    offline: 1,
    atRisk: 1,
    banned: 1,
    full: 1,
    unable: 1,
  });
  assert.equal(devices.length, 7);
  const card = devices.find(({ status }) => status === "processing")!;
  assert.deepEqual([card.messagesCount, card.capPerDay, card.held, card.whatsappVersion], [
    1,
    250,
    1,
    "2.26.1",
  ]);
  assert.ok(ready !== undefined);
  assert.deepEqual(reset, { waitingMessages: 1, runningCampaigns: 1, sentToday: 0 });
});

Deno.test("measureFleet() counts outcomes reported since its last run, also from the previous hour", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(1);
  await measureFleet(house.fleet.ctx);
  await send(house, 2, site);
  house.fleet.pass(3 * HOUR_MS);
  const { stats } = await dashboard(house);
  assert.equal(stats.messagesToday.value, 2);
});

Deno.test("GET /api/admin/dashboard counts messages reported to a restored database once, in their hour", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const { ctx } = fleet;
  const { id, phones } = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const at = ctx.now();
  await renewGeneration(ctx);
  await fleet.reconnect(site);
  fleet.pass(3 * HOUR_MS);
  // Hours before the last measurement are not summed again.
  await dashboard(house);
  const generation = await readGeneration(ctx);
  const items = phones.map((phone) => ({
    campaign: id,
    phone,
    token: "c".repeat(32),
    attempt: 1,
    outcome: "sent" as const,
    account: `${site.devices[0]}/com.whatsapp/0`,
    at,
  }));
  for (const last of [false, true]) {
    await takeOutcomes(ctx, site, { type: "outcomes", generation, items, last });
  }
  const { stats, sendRate } = await dashboard(house);
  assert.equal(stats.messagesToday.value, 2);
  assert.deepEqual(sendRate.slice(-2).map(({ sent }) => sent), [2, 0]);
});
