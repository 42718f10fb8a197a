import assert from "node:assert/strict";
import { campaignSchema } from "shared/http_api.ts";
import { type CreateSeriesRequest, type OneSeries, oneSeriesSchema } from "shared/series_api.ts";
import { auditQueue } from "../queue/audit.ts";
import { startPlans } from "../queue/start_plans.ts";
import { renewGeneration } from "../sites/generation.ts";
import { loadFile, makeList } from "../testing/list_acts.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openTestApp } from "../testing/test_app.ts";
import { makeRuns } from "./make_runs.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ROWS = ["טלפון,שם", "0541234567,דנה", "0541234568,יוסי"];
/** Sunday 29 November 2026; the test begins on the Sunday before it. */
const SUNDAY = Date.parse("2026-11-29T09:00:00+02:00");

async function house({ quota = 100, rows = ROWS } = {}) {
  const test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: quota });
  const list = await makeList(dana);
  if (rows.length > 0) await loadFile(dana, list, rows);
  const campaign = await makeCampaign(test.ctx, { client: dana.id, status: "ready", rows: { queued: 1 } });

  async function create(given: Partial<CreateSeriesRequest> = {}) {
    return await ask("/api/series", {
      method: "POST",
      json: {
        campaign,
        choice: { lists: [list] },
        rule: { kind: "weekly", weekdays: [0] },
        minutes: 9 * 60,
        firstDay: "2026-11-23",
        lastDay: null,
        ...given,
      },
    });
  }
  async function repeat(given: Partial<CreateSeriesRequest> = {}): Promise<OneSeries> {
    const answer = await create(given);
    assert.equal(answer.status, 201, await answer.clone().text());
    return oneSeriesSchema.parse(await answer.json());
  }
  /** Asks as Dana, whose session would be over after the days that a test lets pass. */
  async function ask(...asked: Parameters<typeof dana.ask>) {
    await test.ctx.db.execute({
      sql: "UPDATE sessions SET created_at = ?1, last_seen_at = ?1",
      args: [test.clock.now],
    });
    return await dana.ask(...asked);
  }
  const read = async (id: number) => oneSeriesSchema.parse(await (await ask(`/api/series/${id}`)).json());
  const act = (id: number, act: string) => ask(`/api/series/${id}/${act}`, { method: "POST" });
  async function runAll() {
    while (await makeRuns(test.ctx) > 0);
  }
  return {
    test,
    dana: { ...dana, ask },
    list,
    create,
    repeat,
    read,
    act,
    runAll,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a run is made a day ahead, once, from the list as it is then, and starts at its time", async () => {
  await using world = await house();
  const { test, dana, list } = world;
  const { id, nextAt } = await world.repeat();
  assert.equal(nextAt, SUNDAY);
  test.clock.now = SUNDAY - DAY_MS - 1;
  await world.runAll();
  assert.deepEqual((await world.read(id)).runs, []);
  await loadFile(dana, list, ["טלפון,שם", "0541234569,נועה"]);
  test.clock.now += 1;
  await Promise.all([world.runAll(), world.runAll(), world.runAll()]);
  const { runs, nextAt: next } = await world.read(id);
  assert.deepEqual(
    runs.map(({ day, state, at, campaign }) => [day, state, at, campaign?.status, campaign?.total]),
    [
      ["2026-11-29", "made", SUNDAY, "scheduled", 3],
    ],
  );
  assert.equal(next, SUNDAY + 7 * DAY_MS);
  test.clock.now = SUNDAY;
  assert.equal(await startPlans(test.ctx), 1);
  const shown = campaignSchema.parse(
    await (await dana.ask(`/api/campaigns/${runs[0]!.campaign!.id}`)).json(),
  );
  assert.deepEqual([shown.status, shown.name], ["processing", "סתיו · 29.11.2026"]);
  assert.deepEqual((await auditQueue(test.ctx.db)).filter(({ found }) => found.campaign !== 1), []);
});

Deno.test("a year of weekly runs makes every one once, across both clock changes, at the same hour of Israel", async () => {
  await using world = await house({ quota: 1000 });
  const { test } = world;
  const { id } = await world.repeat();
  for (let day = 0; day < 366; day++) {
    test.clock.now += DAY_MS;
    await world.runAll();
    await startPlans(test.ctx);
  }
  const { runs } = await world.read(id);
  assert.ok(runs.length >= 52, String(runs.length));
  const hours = new Set(
    runs.map(({ at }) =>
      new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Jerusalem", timeStyle: "short" }).format(at)
    ),
  );
  assert.deepEqual([...hours], ["09:00"]);
  assert.ok(runs.every(({ state }) => state === "made"), runs.map(({ state }) => state).join());
});

Deno.test("a repeat stops when the quota is short and says so; its campaign waits, and the repeat goes on when told", async () => {
  await using world = await house({ quota: 1 });
  const { test } = world;
  const { id } = await world.repeat();
  test.clock.now = SUNDAY - HOUR_MS;
  await world.runAll();
  const stopped = await world.read(id);
  assert.deepEqual(
    [stopped.hold, stopped.nextAt, stopped.runs[0]!.state, stopped.runs[0]!.campaign?.status],
    [
      "quota_short",
      null,
      "quota_short",
      "ready",
    ],
  );
  test.clock.now += 20 * DAY_MS;
  await world.runAll();
  assert.equal((await world.read(id)).runs.length, 1, "nothing is made while a person has to decide");
  const { rows } = await test.ctx.db.execute("SELECT code FROM activity WHERE code = 'series_waits'");
  assert.equal(rows.length, 1);
  const goneOn = oneSeriesSchema.parse(await (await world.act(id, "continue")).json());
  assert.equal(goneOn.hold, null);
  assert.ok(goneOn.nextAt! > test.clock.now, "days that passed get no run");
});

Deno.test("a repeat stops when its lists are empty, and leaves no empty draft", async () => {
  await using world = await house({ rows: [] });
  const { test } = world;
  const { id } = await world.repeat();
  test.clock.now = SUNDAY - HOUR_MS;
  await world.runAll();
  const { hold, runs } = await world.read(id);
  assert.deepEqual([hold, runs[0]!.state, runs[0]!.campaign], ["list_empty", "list_empty", null]);
  const { rows } = await test.ctx.db.execute("SELECT count(*) AS n FROM campaigns");
  assert.equal(rows[0]!.n, 1);
});

Deno.test("a run that an edge left half made is finished by another, once", async () => {
  await using world = await house();
  const { test } = world;
  const { id } = await world.repeat();
  test.clock.now = SUNDAY - HOUR_MS;
  const { db } = test.ctx;
  let left = 6;
  const dying = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) =>
        left-- > 0 ? value.apply(target, args) : Promise.reject(new Error("this edge was killed"));
    },
  });
  await makeRuns({ ...test.ctx, db: dying }).catch(() => 0);
  assert.equal((await world.read(id)).runs[0]!.state, "making");
  test.clock.now += 11 * 60_000;
  await world.runAll();
  const { runs } = await world.read(id);
  assert.deepEqual([runs.length, runs[0]!.state, runs[0]!.campaign?.total], [1, "made", 2]);
  const { rows } = await db.execute("SELECT count(*) AS n FROM campaigns");
  assert.equal(rows[0]!.n, 2);
});

Deno.test("a run whose time was missed by an hour is not made, and the repeat goes on with the next", async () => {
  await using world = await house();
  const { test } = world;
  const { id } = await world.repeat();
  test.clock.now = SUNDAY + HOUR_MS;
  await world.runAll();
  const { runs, nextAt } = await world.read(id);
  assert.deepEqual([runs.map(({ state }) => state), nextAt], [["missed"], SUNDAY + 7 * DAY_MS]);
});

Deno.test("a repeat ends after its last day; one that is stopped or ended makes nothing more", async () => {
  await using world = await house();
  const { test } = world;
  const { id } = await world.repeat({ lastDay: "2026-11-30" });
  const other = await world.repeat();
  await world.act(other.id, "stop");
  const third = await world.repeat();
  assert.equal((await world.act(third.id, "end")).status, 200);
  test.clock.now = SUNDAY - HOUR_MS;
  await world.runAll();
  const first = await world.read(id);
  assert.deepEqual([first.runs.length, first.nextAt, first.endedAt], [1, null, test.clock.now]);
  assert.deepEqual((await world.read(other.id)).runs, []);
  assert.deepEqual((await world.read(third.id)).runs, []);
  for (const act of ["stop", "continue", "end"]) {
    assert.equal((await world.act(third.id, act)).status, 409, act);
  }
});

Deno.test("in a restored database every repeat waits for a person, and of a disabled client too", async () => {
  await using world = await house();
  const { test, dana } = world;
  const { id } = await world.repeat();
  await renewGeneration(test.ctx);
  test.clock.now = SUNDAY - HOUR_MS;
  await world.runAll();
  const { hold, runs } = await world.read(id);
  assert.deepEqual([hold, runs], ["restored", []]);
  await world.act(id, "continue");
  const admin = await test.addPerson({ role: "admin" });
  await admin.ask(`/api/users/${dana.id}`, { method: "PATCH", json: { disabled: true } });
  await world.runAll();
  const { rows } = await test.ctx.db.execute("SELECT hold FROM series");
  assert.deepEqual(rows.map(({ hold }) => hold), ["client_disabled"]);
});

Deno.test("POST /api/series refuses other people's lists, and a rule without a run before its end", async () => {
  await using world = await house();
  const other = await world.test.addPerson();
  const list = await makeList(other);
  assert.equal(
    (await world.create({ choice: { lists: [list], except: { lists: [], campaigns: [] } } })).status,
    404,
  );
  assert.equal((await world.create({ lastDay: "2026-11-24" })).status, 400);
  assert.equal((await world.create({ rule: { kind: "weekly", weekdays: [] } })).status, 400);
  const { id } = await world.repeat();
  assert.equal((await other.ask(`/api/series/${id}`)).status, 404);
  assert.deepEqual(await (await other.ask("/api/series")).json(), []);
});
