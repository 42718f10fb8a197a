import assert from "node:assert/strict";
import { ACCOUNT_STATES, DEVICE_STATES } from "shared/agent_protocol.ts";
import { CAMPAIGN_KINDS } from "shared/campaign.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { readAdbStatus } from "../devices/adb_status.ts";
import { localDay } from "../time/local_day.ts";
import { openFleet, START } from "../testing/fleet.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { readFleetFigures } from "./fleet_figures.ts";

/** 09:30 in Jerusalem, the day after the Sabbath of START. */
const SUNDAY = Date.UTC(2026, 10, 22, 7, 30);

Deno.test("readFleetFigures() counts phones by the state shown on the screen, and none of a revoked site", async () => {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  const near = await fleet.addSite(DEVICE_STATES.length);
  await fleet.addSite(2);
  const gone = await fleet.addSite(3);
  await ctx.db.execute(`UPDATE sites SET revoked = 1 WHERE id = ${gone.site}`);
  for (const [index, state] of DEVICE_STATES.entries()) {
    await ctx.db.execute({
      sql: "UPDATE devices SET state = ? WHERE site = ? AND key = ?",
      args: [state, near.site, near.devices[index]!],
    });
  }
  const look = async () => {
    const screen = Object.fromEntries(DEVICE_STATES.map((state) => [state, 0]));
    for (const { state } of (await readAdbStatus(ctx)).devices) screen[state]! += 1;
    const { phones } = await readFleetFigures(ctx.db, ctx.now());
    assert.deepEqual(phones, screen);
    return phones;
  };
  assert.equal((await look()).online, 3);
  fleet.pass(DEAD_SOCKET_MS);
  const away = await look();
  assert.deepEqual([away.online, away.offline], [0, 4]);
  // The first site is heard from again, and has reported nothing about its phones yet.
  await ctx.db.execute(`UPDATE sites SET last_seen_at = ${ctx.now()} WHERE id = ${near.site}`);
  const back = await look();
  assert.deepEqual([back.offline, back.not_answering], [3, 2]);
});

Deno.test("readFleetFigures() counts accounts by state", async () => {
  await using fleet = await openFleet();
  await fleet.addSite(2, 2);
  await fleet.ctx.db.execute("UPDATE accounts SET state = 'banned' WHERE id = 1");
  await fleet.ctx.db.execute("UPDATE accounts SET state = 'restricted' WHERE id = 2");
  const { accounts } = await readFleetFigures(fleet.ctx.db, fleet.ctx.now());
  const none = Object.fromEntries(ACCOUNT_STATES.map((state) => [state, 0]));
  assert.deepEqual(accounts, { ...none, ok: 2, banned: 1, restricted: 1 });
});

Deno.test("readFleetFigures() counts sites with an account that returned more than its daily cap", async () => {
  await using fleet = await openFleet();
  const [first, second] = [await fleet.addSite(2), await fleet.addSite(2)];
  const day = localDay(fleet.ctx.now());
  await fleet.ctx.db.executeMultiple(`INSERT INTO account_days (account, day, used, given)
    SELECT id, ${day}, 3, 254 FROM accounts WHERE site = ${first.site};
    INSERT INTO account_days (account, day, used, given)
    SELECT id, ${day}, 3, 253 FROM accounts WHERE site = ${second.site}`);
  assert.equal((await readFleetFigures(fleet.ctx.db, fleet.ctx.now())).sitesGaveBack, 1);
});

Deno.test("readFleetFigures() returns for each kind whether it may be leased at this hour", async () => {
  for (const at of [START, SUNDAY]) {
    for (const kind of CAMPAIGN_KINDS) {
      await using fleet = await openFleet();
      const { db, now } = fleet.ctx;
      fleet.pass(at - now());
      const site = await fleet.addSite();
      const { id } = await sendNew(fleet, 1);
      await db.execute({
        sql: "UPDATE campaigns SET kind = ?, sent_text = message WHERE id = ?",
        args: [kind, id],
      });
      const { withinHours } = await readFleetFigures(db, now());
      assert.deepEqual(withinHours, { marketing: at === SUNDAY ? 1 : 0, service: 1, undeclared: 1 });
      assert.equal(await pull(fleet, site) === null, withinHours[kind] === 0, `${kind} at ${at}`);
    }
  }
});
