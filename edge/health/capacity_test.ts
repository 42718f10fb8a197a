import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import type { Settings } from "shared/settings.ts";
import { readDevices } from "../devices/read_devices.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { addStranger, sendAll, setRules } from "../testing/rules.ts";
import { localDay } from "../time/local_day.ts";
import { capacityArgs, capacityTables, siteRooms } from "./capacity.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** The fleet starts on a Saturday at 10:00 in Israel. */
const HOURS_TO_MIDNIGHT = 14;

interface Left {
  today: number;
  now: number;
}

/** Returns what the phones of a site may send together, and what each may send alone, by serial. */
async function leftOf(fleet: Fleet, { site }: TestSite): Promise<Left & { phones: Map<string, Left> }> {
  const sql = `WITH ${capacityTables("a.site = :site")}
    SELECT coalesce(sum(day_left), 0) AS today, coalesce(sum(now_left), 0) AS now
    FROM (${siteRooms("device_rooms r")})`;
  const result = await fleet.ctx.db.execute(statement(sql, { site, ...capacityArgs(fleet.ctx.now()) }));
  const [together] = rowsAs(result, { today: wholeNumber, now: wholeNumber });
  const devices = (await readDevices(fleet.ctx)).filter((device) => device.site.id === site);
  const phones = new Map(
    devices.map(({ key, leftToday, leftNow, isStopped }) =>
      [key, isStopped ? { today: 0, now: 0 } : { today: leftToday, now: leftNow }] as const
    ),
  );
  return { ...together!, phones };
}

/** One account as a test draws it. */
interface Drawn {
  isTrusted: boolean;
  state: "ok" | "banned" | "logged_out";
  rests: boolean;
  ageDays: number;
  usedBefore: number;
  givenBefore: number;
  hourBefore: number;
}

const account: fc.Arbitrary<Drawn> = fc.record({
  isTrusted: fc.boolean(),
  state: fc.constantFrom(
    "ok" as const,
    "ok" as const,
    "ok" as const,
    "banned" as const,
    "logged_out" as const,
  ),
  rests: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
  ageDays: fc.integer({ min: 0, max: 20 }),
  usedBefore: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
  givenBefore: fc.constantFrom(0, 0, 0, 0, 1, 12, 90, 130),
  hourBefore: fc.integer({ min: 0, max: 12 }),
});
/** Most phones hold accounts of one kind. */
const phone = fc.tuple(
  fc.array(account, { minLength: 1, maxLength: 3 }),
  fc.constantFrom(true, false, true, null),
)
  .map(([accounts, kind]) => kind === null ? accounts : accounts.map((one) => ({ ...one, isTrusted: kind })));
const world = fc.record({
  phones: fc.array(phone, { minLength: 1, maxLength: 3 }),
  settings: fc.record({
    maxMessagesPerDay: fc.integer({ min: 1, max: 60 }),
    hourlyPercent: fc.integer({ min: 5, max: 100 }),
    unconfirmedPerDay: fc.integer({ min: 0, max: 50 }),
    warmupEnabled: fc.boolean(),
  }),
  unconfirmedRest: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  startHour: fc.integer({ min: 0, max: HOURS_TO_MIDNIGHT - 1 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

async function build(fleet: Fleet, drawn: World): Promise<TestSite> {
  const { db } = fleet.ctx;
  const site = await fleet.addSite(drawn.phones.length, 3);
  await setRules(fleet, { ...drawn.settings, rateLimit: 0 } as Partial<Settings>);
  fleet.pass(drawn.startHour * HOUR_MS);
  await fleet.reconnect(site);
  await fleet.show(site, 3);
  const now = fleet.ctx.now();
  for (const [phone, accounts] of drawn.phones.entries()) {
    for (const user of [0, 1, 2]) {
      const key = `${site.devices[phone]}/com.whatsapp/${user}`;
      const one = accounts[user];
      if (one === undefined) {
        await db.execute({ sql: "DELETE FROM accounts WHERE key = ?", args: [key] });
        continue;
      }
      await db.execute({
        sql: `UPDATE accounts SET trusted = ?, state = ?, trip = ?, first_installed_at = ?, weighed_day = ?
          WHERE key = ?`,
        args: [
          Number(one.isTrusted),
          one.state,
          one.rests ? 99 : null,
          now - one.ageDays * DAY_MS,
          localDay(now),
          key,
        ],
      });
      await db.execute({
        sql: `INSERT INTO account_days (account, day, used, given, hour, hour_used)
          SELECT id, ?, ?, ?, ?, ? FROM accounts WHERE key = ?`,
        args: [
          localDay(now),
          one.usedBefore,
          one.givenBefore,
          Math.floor(now / HOUR_MS),
          Math.min(one.usedBefore, one.hourBefore),
          key,
        ],
      });
    }
  }
  if (drawn.unconfirmedRest) await db.execute("UPDATE sites SET unconfirmed_rest = '{}'");
  return site;
}

/** A phone with accounts of both kinds may use up shared room that another phone lacks afterwards. */
function isMixed({ phones }: World): boolean {
  return phones.some((accounts) => new Set(accounts.map(({ isTrusted }) => isTrusted)).size > 1);
}

Deno.test("capacity: the claim gives in this hour, and hour by hour until midnight, exactly what is said to be left (I6)", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      await using fleet = await openFleet();
      const site = await build(fleet, drawn);
      await sendNew(fleet, 400);
      const said = await leftOf(fleet, site);
      const compare = (given: number, left: number, what: string) =>
        isMixed(drawn)
          ? assert.ok(given <= left, `${what}: ${given} > ${left}`)
          : assert.equal(given, left, what);

      const inThisHour = await sendAll(fleet, site);
      compare(inThisHour, said.now, "in this hour");
      assert.equal(
        (await leftOf(fleet, site)).now,
        0,
        "nothing more is said to be left when nothing more came",
      );
      let today = inThisHour;
      for (let hour = drawn.startHour + 1; hour < HOURS_TO_MIDNIGHT; hour++) {
        fleet.pass(HOUR_MS);
        today += await sendAll(fleet, site);
      }
      compare(today, said.today, "today");
    }),
    { numRuns: 60 },
  );
});

Deno.test("capacity: a phone that alone asks is given exactly what its own card says is left", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      await using fleet = await openFleet();
      const site = await build(fleet, drawn);
      await sendNew(fleet, 400);
      const [serial = ""] = site.devices;
      const said = (await leftOf(fleet, site)).phones.get(serial)!;
      assert.equal(await sendAll(fleet, { ...site, devices: [serial] }), said.now);
    }),
    { numRuns: 60 },
  );
});

Deno.test("capacity: a phone with 71 of 250 has nothing left when its account's warm-up allows 71", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(1);
  const now = fleet.ctx.now();
  // The eighth day of its life.
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET first_installed_at = ?, weighed_day = ?",
    args: [now - 7 * DAY_MS, localDay(now)],
  });
  const spend = (used: number) =>
    fleet.ctx.db.execute({
      sql: "INSERT OR REPLACE INTO account_days (account, day, used) VALUES (1, ?, ?)",
      args: [localDay(now), used],
    });
  const look = async () => {
    const [{ usedToday, capPerDay, leftToday, standing } = assert.fail()] = await readDevices(fleet.ctx);
    return [usedToday, capPerDay, leftToday, standing];
  };
  await spend(61);
  assert.deepEqual(await look(), [61, 71, 10, "ready"]);
  await spend(71);
  assert.deepEqual(await look(), [71, 71, 0, "day_full"]);
  assert.equal((await leftOf(fleet, site)).today, 0);
});

Deno.test("capacity: unconfirmed accounts share one room, however many phones ask for it", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { warmupEnabled: false, hourlyPercent: 100, unconfirmedPerDay: 40 });
  const site = await addStranger(fleet, 5);
  const { today, phones } = await leftOf(fleet, site);
  assert.deepEqual([today, [...phones.values()].map((left) => left.today)], [40, Array(5).fill(40)]);
});

Deno.test("capacity: the worst state leads a phone, and a lost or resting account leads beside one that sends", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(1, 2);
  const { db } = fleet.ctx;
  const lead = async (...causes: string[]) => {
    for (const cause of causes) await db.execute(cause);
    return (await readDevices(fleet.ctx))[0]!.standing;
  };
  assert.equal(await lead(), "ready");
  assert.equal(
    await lead("UPDATE accounts SET state = 'unreachable' WHERE id = 2"),
    "ready",
    "one that was removed",
  );
  assert.equal(
    await lead("UPDATE accounts SET trip = 7 WHERE id = 2", "UPDATE accounts SET state = 'ok'"),
    "rested",
  );
  assert.equal(await lead("UPDATE accounts SET state = 'logged_out' WHERE id = 2"), "logged_out");
  assert.equal(await lead("UPDATE sites SET stopped = 1"), "site_stopped");
  assert.equal(await lead("UPDATE devices SET state = 'hot'"), "unfit");
  assert.equal(await lead("UPDATE devices SET stopped = 1"), "stopped");
  assert.equal(await lead("UPDATE accounts SET state = 'banned' WHERE id = 2"), "banned");
  fleet.pass(31_000);
  assert.equal(await lead(), "offline");
  await fleet.reconnect(site);
  await fleet.show(site, 2);
  assert.equal(await lead("DELETE FROM accounts", "UPDATE sites SET stopped = 0"), "stopped");
});
