import assert from "node:assert/strict";
import type { DatabaseMark } from "shared/agent_protocol.ts";
import { renewGeneration } from "../sites/generation.ts";
import { handleFrame } from "../sites/handle_frame.ts";
import { deriveKeys } from "../keys/app_key.ts";
import { TEST_APP_KEY } from "../testing/audit_parts.ts";
import { type Fleet, openFleet, outcomesOf, type TestSite } from "../testing/fleet.ts";
import { reportLostTime } from "../testing/lost_time.ts";
import { acknowledge, pull, sendNew, take } from "../testing/queue_acts.ts";
import { journalHash, journalKey } from "../privacy/erase_sites.ts";
import { isGenuine } from "./database_mark.ts";
import { runDueTicks } from "./ticks.ts";

/** Copies the database as it is now, to be put back by hand later. */
async function snapshot(fleet: Fleet): Promise<() => Promise<void>> {
  const tables = ["sites", "deliveries", "events", "system", "sqlite_sequence"];
  const { db } = fleet.ctx;
  const { rows } = await db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");
  for (const table of tables) await db.execute(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  return async () => {
    await db.batch([
      "PRAGMA defer_foreign_keys = ON",
      ...rows.map(({ name }) => `DROP TRIGGER ${name}`),
      ...tables.flatMap((table) => [
        `DELETE FROM ${table}`,
        `INSERT INTO ${table} SELECT * FROM kept_${table} WHERE true ${
          table === "sqlite_sequence" ? "AND name NOT LIKE 'kept_%'" : ""
        }`,
      ]),
      ...rows.map(({ sql }) => String(sql)),
    ], "write");
  };
}

async function send(fleet: Fleet, site: TestSite, frame: Parameters<typeof handleFrame>[2]) {
  return await handleFrame(fleet.ctx, site, frame);
}

async function heartbeat(fleet: Fleet, site: TestSite): Promise<DatabaseMark> {
  const answer = await send(fleet, site, { type: "heartbeat", journalCounter: 1_000_000, at: 1 });
  assert.ok(answer?.type === "heartbeatAck" && answer.mark !== undefined);
  return answer.mark;
}

async function newest(fleet: Fleet): Promise<number> {
  return Number((await fleet.one("SELECT seq FROM sqlite_sequence WHERE name = 'events'")).seq);
}

async function isFlagged(fleet: Fleet): Promise<boolean> {
  return (await fleet.one("SELECT count(*) AS n FROM system WHERE key = 'older_database'")).n === 1;
}

Deno.test("helloAck, go, reportAck and heartbeatAck carry the mark of their own commit (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const marks: (DatabaseMark | undefined)[] = [];
  const checkMark = async (mark: DatabaseMark | undefined) => {
    assert.ok(mark !== undefined && isGenuine(fleet.ctx, site.site, mark));
    assert.equal(mark.event, await newest(fleet));
    marks.push(mark);
  };
  await checkMark((await fleet.reconnect(site)).mark);
  const lease = (await pull(fleet, site, 2))!;
  await checkMark((await acknowledge(fleet, site, lease.token)).mark);
  const ack = await send(fleet, site, {
    type: "report",
    seq: 1,
    journalCounter: 1_000_000,
    items: outcomesOf(lease, "sent"),
  });
  assert.ok(ack?.type === "reportAck");
  await checkMark(ack.mark);
  await checkMark(await heartbeat(fleet, site));
  const [hello, go, report] = marks.map((mark) => mark!.event);
  assert.ok(
    hello! < go! && go! < report!,
    "an acknowledged lease and an outcome are each later than what was",
  );
});

Deno.test("the mark of a go is higher than that of the offer, so that no tap follows an old mark (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite();
  // The first delivery of a campaign starts it, and the start is an event.
  await take(fleet, site, 1);
  const lease = (await pull(fleet, site, 2))!;
  const before = await newest(fleet);
  const { mark } = await acknowledge(fleet, site, lease.token);
  assert.ok(mark!.event > before);
  assert.equal(
    (await acknowledge(fleet, site, lease.token)).mark!.event,
    mark!.event,
    "a repeated go is no news",
  );
});

Deno.test("an erase in the place of heartbeatAck carries the mark as well (rule 19)", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const hash = journalHash(journalKey(fleet.ctx, "n"), 972540000001);
  await fleet.ctx.db.batch([
    {
      sql: `INSERT INTO erasures (id, at, user, reason, mark, nonce, hash, blocked)
        VALUES (1, 1, 1, 'asked', 'm', 'n', ?, 0)`,
      args: [hash],
    },
    { sql: "INSERT INTO erasure_sites (erasure, site) VALUES (1, ?)", args: [site.site] },
  ], "write");
  const answer = await send(fleet, site, { type: "heartbeat", journalCounter: 1_000_000, at: 1 });
  assert.ok(answer?.type === "erase");
  assert.equal(answer.mark?.event, await newest(fleet));
});

Deno.test("the mark outlives the events that a tick drops (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await take(fleet, site);
  const { event } = await heartbeat(fleet, site);
  fleet.pass(2 * 60 * 60_000);
  await runDueTicks(fleet.ctx);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE id <= " + event)).n, 0);
  assert.ok((await heartbeat(fleet, site)).event >= event);
});

Deno.test("hello() with a mark of a later state flags the database, and no site is leased anything until restored (rule 19)", async () => {
  for (const remote of [false, true]) {
    await using fleet = await openFleet({ remote });
    await sendNew(fleet, 6);
    const [one, other] = [await fleet.addSite(), await fleet.addSite()];
    const putBack = await snapshot(fleet);
    const lease = (await pull(fleet, one, 2))!;
    const { mark } = await acknowledge(fleet, one, lease.token);
    await putBack();

    const ack = await fleet.reconnect(one, { mark });
    assert.equal(await isFlagged(fleet), true);
    assert.equal(ack.mark, undefined, "a site goes on returning what shows it");
    await fleet.reconnect(other);
    assert.equal(await pull(fleet, other), null);
    assert.equal(await pull(fleet, one), null);

    await renewGeneration(fleet.ctx);
    assert.equal(await isFlagged(fleet), false);
    const checkMark = await fleet.reconnect(one, { mark });
    assert.equal(await isFlagged(fleet), false, "that time was given up with its generation");
    assert.ok(checkMark.mark !== undefined);
  }
});

Deno.test("hello() detects a later state also after newer events have passed its mark (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 6);
  const site = await fleet.addSite();
  const putBack = await snapshot(fleet);
  const lease = (await pull(fleet, site, 2))!;
  const { mark } = await acknowledge(fleet, site, lease.token);
  await putBack();
  await fleet.ctx.db.execute(`INSERT INTO events (at, type, data)
    SELECT 1, 'device_changed', '{}' FROM json_each('[${[...Array(50).keys()]}]')`);
  assert.ok(await newest(fleet) > mark!.event);
  await fleet.reconnect(site, { mark });
  assert.equal(await isFlagged(fleet), true);
});

Deno.test("an offer made before the database was flagged is not confirmed (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 6);
  const [one, other] = [await fleet.addSite(), await fleet.addSite()];
  const putBack = await snapshot(fleet);
  const { mark } = await acknowledge(fleet, one, (await pull(fleet, one, 2))!.token);
  await putBack();
  const offer = (await pull(fleet, other, 2))!;
  await fleet.reconnect(one, { mark });
  const go = await acknowledge(fleet, other, offer.token);
  assert.deepEqual(go.items, []);
  assert.equal(go.mark, undefined);
});

Deno.test("hello() with this database's newest mark, an old one or none flags nothing (rule 19)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 6);
  const site = await fleet.addSite();
  const lease = await take(fleet, site, 2);
  const first = await heartbeat(fleet, site);
  await send(fleet, site, {
    type: "report",
    seq: 1,
    journalCounter: 1_000_000,
    items: outcomesOf(lease, "sent"),
  });
  const last = await heartbeat(fleet, site);
  assert.ok(last.event > first.event);
  for (const mark of [last, first, undefined]) {
    await fleet.reconnect(site, { mark });
    assert.equal(await isFlagged(fleet), false);
  }
  assert.ok(await pull(fleet, site), `campaign ${campaign.id} goes on`);
});

Deno.test("hello() ignores a mark that none of our keys sealed (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 6);
  const site = await fleet.addSite();
  const { generation, hmac } = await heartbeat(fleet, site);
  await fleet.reconnect(site, { mark: { generation, event: Number.MAX_SAFE_INTEGER, hmac } });
  assert.equal(await isFlagged(fleet), false);
  assert.ok(await pull(fleet, site));
});

Deno.test("a mark is valid under either key while APP_KEY is changed, and under no other (rule 19)", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const mark = await heartbeat(fleet, site);
  const next = "another key of tests, long enough to be one";
  const keysOf = (...keys: [string, ...string[]]) => ({
    databaseMarkKeys: deriveKeys(keys, "database-mark"),
  });
  assert.equal(isGenuine(keysOf(next, TEST_APP_KEY), site.site, mark), true);
  assert.equal(isGenuine(keysOf(next), site.site, mark), false);
  assert.equal(isGenuine(fleet.ctx, site.site, { ...mark, event: mark.event + 1 }), false);
});

Deno.test("hello() ignores another site's mark, in a moved journal or from a lying site (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 6);
  const [one, other] = [await fleet.addSite(), await fleet.addSite()];
  const before = await heartbeat(fleet, other);
  await take(fleet, one, 2);
  const mark = await heartbeat(fleet, one);
  assert.ok(mark.event > before.event);
  for (const journalId of ["f".repeat(32), String(other.site).padStart(32, "0")]) {
    await fleet.reconnect(other, { mark, journalId });
    assert.equal(await isFlagged(fleet), false);
  }
  await fleet.reconnect(one, { mark });
  assert.equal(await isFlagged(fleet), false);
});

Deno.test("hello() detects a later state also from a site that never sent hello to this database (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 6);
  const site = await fleet.addSite();
  await fleet.ctx.db.execute("UPDATE sites SET journal_id = NULL, mark_given = 0");
  const putBack = await snapshot(fleet);
  await fleet.reconnect(site);
  const { mark } = await acknowledge(fleet, site, (await pull(fleet, site, 2))!.token);
  await putBack();
  await fleet.ctx.db.execute(`INSERT INTO events (at, type, data)
    SELECT 1, 'device_changed', '{}' FROM json_each('[${[...Array(50).keys()]}]')`);
  await fleet.reconnect(site, { mark });
  assert.equal(await isFlagged(fleet), true);
});

Deno.test("hello() with a mark of a generation ended on purpose, from a restored journal, flags nothing (rule 19)", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const marks = [await heartbeat(fleet, site)];
  for (let restores = 0; restores < 2; restores++) {
    await renewGeneration(fleet.ctx);
    await fleet.reconnect(site);
    await reportLostTime(fleet, site, { id: 0 }, []);
    marks.push(await heartbeat(fleet, site));
  }
  for (const mark of marks) {
    await fleet.reconnect(site, { mark });
    assert.equal(await isFlagged(fleet), false);
  }
});

for (const isKnown of [true, false]) {
  const whose = isKnown ? "a site" : "a site that this state had never heard";
  Deno.test(`hello() of ${whose} with a mark of a lost generation flags the database (rule 19)`, async () => {
    await using fleet = await openFleet({ remote: !isKnown });
    await sendNew(fleet, 6);
    const [one, other] = [await fleet.addSite(), await fleet.addSite()];
    if (!isKnown) await fleet.ctx.db.execute("UPDATE sites SET journal_id = NULL, mark_given = 0");
    const putBack = await snapshot(fleet);
    await renewGeneration(fleet.ctx);
    const { mark } = await fleet.reconnect(one);
    await putBack();
    await fleet.reconnect(one, { mark });
    assert.equal(await isFlagged(fleet), true);
    await fleet.reconnect(other);
    assert.equal(await pull(fleet, other), null);

    await renewGeneration(fleet.ctx);
    await fleet.reconnect(one, { mark });
    assert.equal(await isFlagged(fleet), false, "it owes its outcomes, and until then nothing is leased");
    await fleet.reconnect(other);
    assert.equal(await pull(fleet, other), null);
  });
}
