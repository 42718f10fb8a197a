import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { sleep } from "../time/sleep.ts";
import { connectDatabase } from "../db/connect.ts";
import { createLog } from "../log.ts";
import { openFleet } from "../testing/fleet.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { sendAll } from "../testing/rules.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { createTail, type EventRow, type Tail } from "./tail.ts";

const strict = { sanitizeOps: true, sanitizeResources: true };

Deno.test("two tails on one database both hear an event, each in the order of ids", strict, async () => {
  await using test = await openTestDatabase();
  const other = await connectDatabase(test.url);
  await using here = follow(test.db);
  await using there = follow(other);
  const leave = [await here.tail.join(), await there.tail.join()];
  await insertEvents(test.db, 3);
  here.tail.wake();
  for (const { heard } of [here, there]) {
    const rows = await heard(3);
    assert.deepEqual(rows.map((row) => JSON.parse(row.data).n), [0, 1, 2]);
  }
  leave.forEach((go) => go());
  other.close();
});

Deno.test("createTail() delivers a backlog of several pages", strict, async () => {
  await using test = await openTestDatabase();
  await using tail = follow(test.db);
  const leave = await tail.tail.join();
  await insertEvents(test.db, 1_201);
  tail.tail.wake();
  const rows = await tail.heard(1);
  const heard = () => rows.map((row) => JSON.parse(row.data).n);
  await until(() => heard().at(-1) === 1_200);
  assert.deepEqual(heard(), Array.from({ length: 1_201 }, (_, n) => n));
  leave();
});

Deno.test("join() replays nothing that was committed before it", strict, async () => {
  await using test = await openTestDatabase();
  await using tail = follow(test.db);
  await insertEvents(test.db, 2);
  const leave = await tail.tail.join();
  await insertEvents(test.db, 1, 7);
  tail.tail.wake();
  assert.deepEqual((await tail.heard(1)).map((row) => JSON.parse(row.data).n), [7]);
  leave();
});

Deno.test("join() does not affect present listeners", strict, async () => {
  await using test = await openTestDatabase();
  await using tail = follow(test.db);
  const leave = [await tail.tail.join()];
  await insertEvents(test.db, 1, 1);
  leave.push(await tail.tail.join());
  await insertEvents(test.db, 1, 2);
  tail.tail.wake();
  assert.deepEqual((await tail.heard(2)).map((row) => JSON.parse(row.data).n), [1, 2]);
  leave.forEach((go) => go());
});

Deno.test("createTail() asks the database nothing while nobody listens", strict, async () => {
  await using test = await openTestDatabase();
  const lines: string[] = [];
  const tail = follow(test.db, lines);
  const leave = await tail.tail.join();
  leave();
  test.db.close(); // a read from here on would fail and be logged
  for (let round = 0; round < 5; round++) {
    tail.tail.wake();
    await Promise.resolve();
  }
  await tail[Symbol.asyncDispose]();
  assert.deepEqual(lines, []);
});

Deno.test("createTail() continues after the database failed, and misses nothing", strict, async () => {
  await using test = await openTestDatabase();
  const lines: string[] = [];
  await using tail = follow(test.db, lines);
  const leave = await tail.tail.join();
  await test.db.execute("ALTER TABLE events RENAME TO gone");
  tail.tail.wake();
  await until(() => lines.length > 0);
  assert.match(lines[0], /outbox_read_failed/);
  await test.db.execute("ALTER TABLE gone RENAME TO events");
  await insertEvents(test.db, 1, 5);
  tail.tail.wake();
  assert.deepEqual((await tail.heard(1)).map((row) => JSON.parse(row.data).n), [5]);
  leave();
});

Deno.test("createTail() continues after an event whose listener throws", strict, async () => {
  await using test = await openTestDatabase();
  const lines: string[] = [];
  await using tail = follow(test.db, lines);
  const leave = await tail.tail.join();
  await insertEvents(test.db, 1, -1);
  await insertEvents(test.db, 1, 8);
  tail.tail.wake();
  await until(() => lines.length > 0);
  tail.tail.wake();
  assert.deepEqual((await tail.heard(1)).map((row) => JSON.parse(row.data).n), [8]);
  leave();
});

Deno.test(
  "createTail() delivers events for sites to the agents and the others to the browsers",
  strict,
  async () => {
    await using test = await openTestDatabase();
    await using tail = follow(test.db);
    const leave = await tail.tail.join();
    await test.db.executeMultiple(`
    INSERT INTO events (at, type, site, data) VALUES (1, 'recall', 4, '{}');
    INSERT INTO events (at, type, data) VALUES (1, 'workWaiting', '{}');
    INSERT INTO events (at, type, for_admins, data) VALUES (1, 'activity', 1, '{}');`);
    tail.tail.wake();
    assert.deepEqual((await tail.heard(1)).map((row) => row.type), ["activity"]);
    assert.deepEqual(tail.forAgents.map((row) => [row.type, row.site]), [["recall", 4], [
      "workWaiting",
      null,
    ]]);
    leave();
  },
);

Deno.test("createTail() sends neither start nor completion of a test to oneself", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(1);
  await using tail = follow(fleet.ctx.db);
  const leave = await tail.tail.join();
  const test = await sendNew(fleet, 1);
  await fleet.ctx.db.execute(`UPDATE campaigns SET test_of = id WHERE id = ${test.id}`);
  await sendAll(fleet, site);
  const campaign = await sendNew(fleet, 1);
  await sendAll(fleet, site);
  const typesOf = async (id: number) => {
    const isEnd = ({ campaign, data }: EventRow) =>
      campaign === id && JSON.parse(data).status === "completed";
    let rows = await tail.heard(1);
    while (!rows.some(isEnd)) rows = await tail.heard(rows.length + 1);
    return rows.filter((row) => row.campaign === id).map(({ type }) => type);
  };
  const toasts = ["campaign_started", "campaign_completed"];
  tail.tail.wake();
  const [live, tested] = [await typesOf(campaign.id), await typesOf(test.id)];
  assert.deepEqual(toasts.filter((type) => live.includes(type)), toasts);
  assert.deepEqual(toasts.filter((type) => tested.includes(type)), []);
  leave();
});

interface Follower extends AsyncDisposable {
  tail: Tail;
  forAgents: EventRow[];
  /** Resolves with the browsers' events when there are `count`. */
  heard(count: number): Promise<EventRow[]>;
}

function follow(db: Client, lines: string[] = []): Follower {
  const rows: EventRow[] = [];
  const forAgents: EventRow[] = [];
  const tail = createTail({
    db,
    log: createLog({ level: "debug", now: () => 0, write: (line) => lines.push(line) }),
    sleep,
    browsers: {
      deliver(row) {
        if (JSON.parse(row.data).n === -1) throw new TypeError("Cannot take this one");
        rows.push(row);
      },
      flush: () => null,
    },
    deliverToAgents: (row) => forAgents.push(row),
  });
  const stop = new AbortController();
  const ended = tail.run(stop.signal);
  return {
    tail,
    forAgents,
    async heard(count) {
      await until(() => rows.length >= count);
      return rows;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1);
}

async function insertEvents(db: Client, count: number, from = 0): Promise<void> {
  await db.execute({
    sql: `WITH RECURSIVE n(v) AS (SELECT ?1 UNION ALL SELECT v + 1 FROM n WHERE v + 1 < ?1 + ?2)
      INSERT INTO events (at, type, client, data) SELECT 1, 'campaign_changed', 3, json_object('n', v) FROM n`,
    args: [from, count],
  });
}
