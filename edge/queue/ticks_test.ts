import assert from "node:assert/strict";
import { LEASE_TTL_MS, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { openFleet } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { cancelCampaign } from "./cancel.ts";
import { runDueTicks } from "./ticks.ts";

Deno.test("runDueTicks() queues offered rows that were never acknowledged, and nothing else (rule 8)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await take(fleet, site, 1);
  await pull(fleet, site, 1);

  fleet.pass(LEASE_TTL_MS);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "leased", "queued"]);
  fleet.pass(5_000);
  const called = async () =>
    (await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'workWaiting'")).n;
  const before = Number(await called());
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "queued", "queued"]);
  assert.equal(await called(), before + 1, "and the sites are called to it");
});

Deno.test("runDueTicks() continues with the other duties when one fails", async () => {
  await using fleet = await openFleet();
  const done: string[] = [];
  const duty = (name: string, slice: () => Promise<number>) => ({ name, everyMs: 5_000, slice });
  await runDueTicks(fleet.ctx, [
    duty("broken", () => Promise.reject(new Error("no"))),
    duty("sound", () => Promise.resolve(done.push("sound") && 0)),
  ]);
  assert.deepEqual(done, ["sound"]);
});

Deno.test("runDueTicks() logs once a round that the database accepts no claims", async () => {
  await using fleet = await openFleet();
  await fleet.ctx.db.execute(
    "CREATE TRIGGER full BEFORE INSERT ON ticks BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const logged: string[] = [];
  const log = { ...fleet.ctx.log, error: (event: string) => logged.push(event) };
  await runDueTicks({ ...fleet.ctx, log });
  assert.deepEqual(logged, ["tick_failed"]);
});

Deno.test("runDueTicks() makes acknowledged rows of a site unknown after a day of silence (rule 8)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const lease = await take(fleet, site);
  fleet.pass(SILENCE_LIMIT_MS);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["leased"]);
  fleet.pass(60_000);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
  assert.deepEqual(await report(fleet, site, lease, "sent"), ["applied"]);
});

Deno.test("runDueTicks() moves cancelled rows, and deletes old events and used tokens", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, campaign.id);
  await fleet.ctx.db.execute({
    sql: "INSERT INTO agent_tokens_seen (jti, expires_at) VALUES ('old', ?), ('new', ?)",
    args: [fleet.ctx.now() - 1, fleet.ctx.now() + 2 * 3_600_000],
  });
  fleet.pass(3_600_001);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["cancelled", "cancelled", "cancelled"]);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events")).n, 0);
  assert.equal((await fleet.one("SELECT group_concat(jti) AS jti FROM agent_tokens_seen")).jti, "new");
});

Deno.test("runDueTicks() keeps the events of the last hour, also after one dated by a clock that was ahead", async () => {
  await using fleet = await openFleet();
  await fleet.ctx.db.execute("DELETE FROM events");
  const minutes = [-90, 24 * 60, -61, -59, 1];
  for (const minute of minutes) {
    await fleet.ctx.db.execute({
      sql: "INSERT INTO events (at, type, data) VALUES (?, 'workWaiting', ?)",
      args: [fleet.ctx.now() + minute * 60_000, String(minute)],
    });
  }
  await runDueTicks(fleet.ctx);
  assert.equal((await fleet.one("SELECT group_concat(data, ' ') AS kept FROM events")).kept, "-59 1");
});

Deno.test("runDueTicks() leaves a duty to the instance that claimed it", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  await fleet.ctx.db.execute({
    sql: "INSERT INTO ticks (name, claimed_until) VALUES ('flip_cancelled', ?)",
    args: [fleet.ctx.now() + 5_000],
  });
  await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, campaign.id);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
  fleet.pass(5_000);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["cancelled"]);
});

Deno.test("runDueTicks() continues after a clock that was ahead is set back", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const yearMs = 365 * 24 * 3_600_000;
  fleet.pass(yearMs);
  await pull(fleet, site);
  await runDueTicks(fleet.ctx);
  fleet.pass(-yearMs);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(await fleet.states(campaign.id), ["queued"]);
});
