import assert from "node:assert/strict";
import type { InArgs } from "@libsql/client/web";
import { type Capacity, CAPACITY_CAMPAIGNS, capacitySchema } from "shared/admin_api.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { addStranger, sendAll, setRules } from "../testing/rules.ts";

const MINUTE = 60_000;

async function board(house: AdminHouse): Promise<Capacity> {
  return capacitySchema.parse(await house.read("/api/admin/capacity"));
}

Deno.test("GET /api/admin/capacity of an empty system is zeros", async () => {
  await using house = await openAdminHouse();
  const { total, waiting, waitingPaused, sites, campaigns } = await board(house);
  assert.deepEqual(Object.values(total), Array(6).fill(0));
  assert.deepEqual([waiting, waitingPaused, sites, campaigns], [0, 0, [], []]);
});

Deno.test("GET /api/admin/capacity shows what each site may still send, and what phones that are away would add", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  await setRules(fleet, {
    warmupEnabled: false,
    maxMessagesPerDay: 100,
    hourlyPercent: 25,
    unconfirmedPerDay: 30,
  });
  const [haifa, eilat, unconfirmed] = [
    await fleet.addSite(2),
    await fleet.addSite(1),
    await addStranger(fleet, 3),
  ];
  await fleet.ctx.db.execute(`UPDATE devices SET state = 'offline' WHERE key = '${haifa.devices[1]}'`);
  await fleet.ctx.db.execute(`UPDATE sites SET stopped = 1 WHERE id = ${eilat.site}`);
  await sendNew(fleet, 500);
  assert.equal(await sendAll(fleet, { ...haifa, devices: [haifa.devices[0]!] }, { most: 12 }), 12);
  const { total, waiting, sites } = await board(house);
  const of = (id: number) => {
    const { state, leftNow, leftToday, leftAway, usedToday, phones, phonesReady } = sites.find((one) =>
      one.id === id
    )!;
    return [state, leftNow, leftToday, leftAway, usedToday, phones, phonesReady];
  };
  assert.deepEqual(of(haifa.site), ["working", 13, 88, 100, 12, 2, 1]);
  assert.deepEqual(of(eilat.site), ["stopped", 0, 0, 100, 0, 1, 0]);
  assert.deepEqual(of(unconfirmed.site), ["working", 30, 30, 0, 0, 3, 3]);
  assert.deepEqual([total.leftNow, total.leftToday, total.phones, total.phonesReady], [43, 118, 6, 4]);
  assert.equal(waiting, 488);
});

Deno.test("GET /api/admin/capacity lists running campaigns, those that stand first, then by their end", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(2);
  const long = await sendNew(fleet, 400);
  const short = await sendNew(fleet, 5);
  const paused = await sendNew(fleet, 7);
  await fleet.ctx.db.execute(
    `UPDATE campaigns SET status = 'paused', paused_by = 'admin' WHERE id = ${paused.id}`,
  );
  const stands = await sendNew(fleet, 3);
  await fleet.ctx.db.execute(`UPDATE campaigns SET kind = 'marketing' WHERE id = ${stands.id}`);
  fleet.pass(2 * MINUTE);
  await fleet.reconnect(site);
  await fleet.show(site);
  const { campaigns, waitingPaused, campaignsRunning } = await board(house);
  assert.deepEqual(campaigns.map(({ id }) => id), [stands.id, short.id, long.id]);
  assert.deepEqual(campaigns.map(({ estimate }) => estimate?.by), [undefined, "capacity", "capacity"]);
  assert.ok(campaigns[1]!.estimate!.endsAt < campaigns[2]!.estimate!.endsAt);
  assert.deepEqual([waitingPaused, campaignsRunning], [7, 3]);
});

Deno.test("GET /api/admin/capacity lists at most a hundred campaigns, and scans no deliveries", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite(1);
  const { id: client } = await edge.addPerson();
  for (let index = 0; index < CAPACITY_CAMPAIGNS + 1; index++) {
    await makeCampaign(edge.ctx, {
      client,
      status: "active",
      rows: { queued: 2, leased: 1 },
      sendAt: index + 1,
    });
  }
  await pull(fleet, site, 1);
  const asked: { sql: string; args: InArgs }[] = [];
  const { db } = edge.ctx;
  edge.ctx.db = new Proxy(db, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "batch") return value.bind(target);
      return (statements: typeof asked, mode: "read") => {
        asked.push(...statements);
        return db.batch(statements, mode);
      };
    },
  });
  const { campaigns, campaignsRunning } = await board(house);
  assert.deepEqual([campaigns.length, campaignsRunning], [CAPACITY_CAMPAIGNS, CAPACITY_CAMPAIGNS + 1]);
  const steps: string[] = [];
  for (const { sql, args } of asked.filter(({ sql }) => sql.includes("deliveries"))) {
    const { rows } = await db.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
    steps.push(...rows.map(({ detail }) => String(detail)).filter((step) => / deliveries\b/.test(step)));
  }
  assert.ok(steps.length > 0);
  for (const step of steps) assert.match(step, /^SEARCH .*INDEX deliveries_(in_hand|queue|state) /);
});
