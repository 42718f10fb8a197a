/** The sender: at least once, in order, whatever the receiver answers and whenever an edge dies. */
import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import type { WebhookType } from "shared/webhook_event.ts";
import { Random } from "shared/testing/random.ts";
import { SEED } from "shared/testing/seed.ts";
import type { EdgeContext } from "../context.ts";
import { eventsOf, type HookCall, startHook } from "../testing/fake_hook.ts";
import { openTestApp, PROOF, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { addWebhook, sendAll } from "../testing/webhook_acts.ts";
import { claimCalls } from "./claim_calls.ts";
import { noteWebhook } from "./note_webhook.ts";
import { planCalls } from "./plan_calls.ts";
import { createWaker, runWebhooks, sendDueWebhooks } from "./run_webhooks.ts";
import { tryCall } from "./try_call.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Writes events of the client, one for each type, in lanes; returns their ids by lane, in order. */
async function happen(
  { ctx }: Pick<TestApp, "ctx">,
  { client }: Pick<TestPerson, "client">,
  events: readonly [type: WebhookType, campaign: number][],
): Promise<Map<number, string[]>> {
  const before = await ctx.db.execute("SELECT coalesce(max(id), 0) AS last FROM webhook_log");
  const notes = events.map(([type, campaign]) => noteWebhook(ctx.now(), { client, type, campaign }));
  for (let at = 0; at < notes.length; at += 500) await ctx.db.batch(notes.slice(at, at + 500), "write");
  const { rows } = await ctx.db.execute({
    sql: "SELECT uid, lane FROM webhook_log WHERE id > ? ORDER BY id",
    args: [Number(before.rows[0]!.last)],
  });
  assert.equal(rows.length, events.length);
  const lanes = new Map<number, string[]>();
  for (const { uid, lane } of rows) lanes.set(Number(lane), [...lanes.get(Number(lane)) ?? [], String(uid)]);
  return lanes;
}

/** Asserts that every event was taken, each lane in order, and that calls with one id hold the same events. */
function checkTaken(taken: readonly HookCall[], lanes: ReadonlyMap<number, string[]>): void {
  const contents = new Map<string, string>();
  const first: string[] = [];
  for (const call of taken) {
    const ids = eventsOf(call).map(({ id }) => id);
    assert.equal(contents.get(call.id) ?? ids.join(), ids.join(), "a call's content never changes");
    contents.set(call.id, ids.join());
    for (const id of ids) if (!first.includes(id)) first.push(id);
  }
  const place = new Map(first.map((id, at) => [id, at]));
  for (const [lane, ids] of lanes) {
    const places = ids.map((id) => place.get(id));
    assert.ok(!places.includes(undefined), `lane ${lane} lost an event`);
    assert.deepEqual(places, places.toSorted((a, b) => a! - b!), `lane ${lane} in order`);
  }
  assert.equal(first.length, [...lanes.values()].flat().length, "nothing else came");
}

Deno.test("10,000 events arrive at a receiver that fails one in three, each counted by its id, in order", async () => {
  await using edge = await openTestApp();
  const random = new Random(SEED);
  const failures = [500, 404, 429, 301, 503];
  await using hook = startHook(() =>
    new Response(null, { status: random.below(3) === 0 ? random.pick(failures) : 204 })
  );
  const owner = await edge.addPerson();
  await addWebhook(owner, hook);
  const kinds = [
    "message.sent",
    "message.sent",
    "message.failed",
    "message.unknown",
    "message.skipped",
  ] as const;
  const events = Array.from({ length: 10_000 }, (_, no): [WebhookType, number] => {
    const campaign = random.below(12);
    return [
      campaign === 0 ? "opt_out.created" : no % 50 === 0 ? "campaign.paused" : kinds[no % 5]!,
      campaign,
    ];
  });
  const lanes = await happen(edge, owner, events);
  const tries = await sendAll(edge);
  checkTaken(hook.taken, lanes);
  assert.equal(new Set(hook.eventIds()).size, 10_000);
  assert.equal(hook.eventIds().length, 10_000, "a call that was answered with a no was not taken");
  assert.equal(hook.calls.length, tries);
  assert.ok(hook.calls.length > hook.taken.length * 1.3);
  assert.ok(hook.calls.every((call) => eventsOf(call).length <= 100));
});

Deno.test("a receiver that takes a call and says no, hangs up or says nothing gets the same id again", async () => {
  await using edge = await openTestApp({ webhooks: { withinMs: 150 } });
  const effects: HookCall[] = [];
  await using hook = startHook(async (call, no) => {
    effects.push(call);
    if (no % 4 === 1) return new Response(null, { status: 500 });
    if (no % 4 === 2) await new Promise((done) => setTimeout(done, 400));
    if (no % 4 === 3) throw new Error("the receiver broke after it acted");
    return new Response(null, { status: 204 });
  });
  const owner = await edge.addPerson();
  await addWebhook(owner, hook);
  const lanes = await happen(edge, owner, [
    ["campaign.started", 1],
    ["message.sent", 1],
    ["message.failed", 1],
    ["campaign.completed", 1],
  ]);
  await sendAll(edge);
  checkTaken(effects, lanes);
  assert.ok(effects.length > 3, "some came more than once");
});

/** A database that is gone from its `dies`-th use on: before the use, or after it has taken effect. */
function dying(db: Client, dies: number, isAfter: boolean): { db: Client; isDead: () => boolean } {
  let uses = 0;
  const gone = () => Promise.reject(new Error("the edge was killed"));
  const guard = <T>(use: () => Promise<T>): Promise<T> => {
    uses++;
    if (uses > dies || (uses === dies && !isAfter)) return gone();
    return uses === dies ? use().then(gone) : use();
  };
  const guarded = new Proxy(db, {
    get(target, name) {
      if (name === "execute") {
        return (...args: Parameters<Client["execute"]>) => guard(() => target.execute(...args));
      }
      if (name === "batch") {
        return (...args: Parameters<Client["batch"]>) => guard(() => target.batch(...args));
      }
      return Reflect.get(target, name);
    },
  });
  return { db: guarded, isDead: () => uses >= dies };
}

Deno.test("an edge that is killed at any step loses no event and changes no call", async () => {
  for (const isAfter of [false, true]) {
    for (let dies = 1, isReached = true; isReached; dies++) {
      await using edge = await openTestApp();
      await using hook = startHook();
      const owner = await edge.addPerson();
      await addWebhook(owner, hook);
      const lanes = await happen(edge, owner, [
        ["campaign.started", 1],
        ["message.sent", 1],
        ["message.sent", 2],
        ["message.failed", 1],
        ["campaign.completed", 1],
        ["opt_out.created", 0],
      ]);
      const { db, isDead } = dying(edge.ctx.db, dies, isAfter);
      await sendDueWebhooks({ ...edge.ctx, db }).catch(() => {});
      isReached = isDead();
      // Calls of the dead edge may still be on their way.
      await new Promise((done) => setTimeout(done, 5));
      // Another edge goes on, at first while the dead one's claims hold.
      await sendDueWebhooks(edge.ctx);
      edge.clock.now += 31_000;
      await sendAll(edge);
      checkTaken(hook.taken, lanes);
      const most = Math.max(
        ...hook.taken.map(({ id }) => hook.taken.filter((call) => call.id === id).length),
      );
      assert.ok(most <= 2, `killed at ${dies}: a call was sent ${most} times`);
      if (!isReached) assert.equal(most, 1);
      assert.ok(dies < 60);
    }
  }
});

Deno.test("two edges at once send each call once, and keep the order", async () => {
  await using edge = await openTestApp();
  await using hook = startHook(async () => {
    await new Promise((done) => setTimeout(done, 1));
    return new Response(null, { status: 204 });
  });
  const owner = await edge.addPerson();
  await addWebhook(owner, hook);
  const lanes = await happen(
    edge,
    owner,
    Array.from({ length: 400 }, (_, no): [WebhookType, number] => ["campaign.paused", no % 7]),
  );
  const edges: EdgeContext[] = Array.from({ length: 3 }, () => ({ ...edge.ctx }));
  const run = async (ctx: EdgeContext) => {
    for (let idle = 0; idle < 20;) {
      idle = await sendDueWebhooks(ctx) === 0 ? idle + 1 : 0;
      await new Promise((done) => setTimeout(done, 1));
    }
  };
  await Promise.all(edges.map(run));
  await sendAll(edge);
  checkTaken(hook.taken, lanes);
  assert.equal(hook.calls.length, 400);
});

Deno.test("waits grow from five seconds to half a day, and after three days the webhook is paused and its owner told", async () => {
  await using edge = await openTestApp();
  let isUp = false;
  await using hook = startHook(() => new Response(null, { status: isUp ? 204 : 503 }));
  const owner = await edge.addPerson();
  const { webhook } = await addWebhook(owner, hook);
  const lanes = await happen(edge, owner, [["campaign.started", 1], ["campaign.completed", 1]]);
  const began = edge.clock.now;
  const at: number[] = [];
  while ((await pausedOf(edge, webhook.id)) === null) {
    const before = hook.calls.length;
    await sendDueWebhooks(edge.ctx);
    if (hook.calls.length > before) at.push(edge.clock.now - began);
    edge.clock.now += 1_000 + Math.floor((edge.clock.now - began) / 100);
    assert.ok(edge.clock.now - began < 5 * DAY_MS);
  }
  const waits = at.slice(1).map((time, no) => time - at[no]!);
  assert.ok(waits[0]! >= 5_000 && waits[0]! < 8_000, String(waits[0]));
  assert.ok(waits.slice(1, 8).every((wait, no) => wait > waits[no]! * 1.5), String(waits));
  assert.ok(at.at(-1)! >= 3 * DAY_MS && at.at(-1)! < 4 * DAY_MS, String(at.at(-1)));
  assert.ok(new Set(hook.calls.map(({ id }) => id)).size === 1, "the later event waits for its turn");
  await stayLoggedIn(edge);
  const [shown] = (await (await owner.ask("/api/webhooks")).json()).webhooks;
  assert.deepEqual([shown.paused.why, shown.waiting, shown.givenUp], ["failed", 1, 1]);
  const { rows: events } = await edge.ctx.db.execute(
    "SELECT client FROM events WHERE type = 'webhooks_changed'",
  );
  assert.deepEqual(events.map((row) => row.client), [owner.client]);
  const { rows: lines } = await edge.ctx.db.execute(
    "SELECT code, user FROM activity WHERE code = 'webhook_paused'",
  );
  assert.equal(lines.length, 1);

  // Events that come meanwhile wait; the owner resumes, and sends the given-up one again.
  const later = await happen(edge, owner, [["campaign.reopened", 1]]);
  edge.clock.now += DAY_MS;
  await sendDueWebhooks(edge.ctx);
  const calls = hook.calls.length;
  isUp = true;
  await stayLoggedIn(edge);
  const resumed = await owner.ask(`/api/webhooks/${webhook.id}/resume`, {
    method: "POST",
    json: { proof: PROOF },
  });
  assert.equal(resumed.status, 200, await resumed.text());
  assert.equal(hook.calls.length, calls);
  const range = { from: 0, to: edge.clock.now + 1 };
  const sent = await owner.ask(`/api/webhooks/${webhook.id}/again`, { method: "POST", json: range });
  assert.deepEqual(await sent.json(), { calls: 1, hasMore: false });
  await sendAll(edge);
  checkTaken(hook.taken, new Map([[1, [...lanes.get(1)!, ...later.get(1)!]]]));
});

Deno.test("one event that a working receiver refuses for three days is given up alone, and the lane goes on", async () => {
  await using edge = await openTestApp();
  await using hook = startHook(({ body }) =>
    new Response(null, { status: body.type === "campaign.paused" ? 400 : 204 })
  );
  const owner = await edge.addPerson();
  const { webhook } = await addWebhook(owner, hook);
  const lanes = await happen(edge, owner, [["campaign.started", 1], ["campaign.paused", 1], [
    "campaign.resumed",
    1,
  ]]);
  await sendDueWebhooks(edge.ctx);
  edge.clock.now += DAY_MS;
  const others = await happen(edge, owner, [["campaign.started", 2]]);
  await sendAll(edge, 3_600_000);
  assert.equal(await pausedOf(edge, webhook.id), null);
  const [started, , resumed] = lanes.get(1)!;
  assert.deepEqual(hook.eventIds(), [started, ...others.get(2)!, resumed]);
});

Deno.test("a receiver that is gone for good is paused at once", async () => {
  await using edge = await openTestApp();
  await using hook = startHook(() => new Response(null, { status: 410 }));
  const owner = await edge.addPerson();
  const { webhook } = await addWebhook(owner, hook);
  await happen(edge, owner, [["campaign.started", 1]]);
  await sendAll(edge);
  assert.equal(await pausedOf(edge, webhook.id), "gone");
  assert.equal(hook.calls.length, 1);
});

Deno.test("silent receivers hold a place each, and a healthy one gets its events meanwhile", async () => {
  await using edge = await openTestApp({ webhooks: { withinMs: 300 } });
  const over = Promise.withResolvers<void>();
  await using silent = startHook(() => over.promise.then(() => new Response()));
  await using healthy = startHook();
  const owners = [];
  for (let no = 0; no < 12; no++) owners.push(await edge.addPerson());
  for (const [no, owner] of owners.entries()) await addWebhook(owner, no === 11 ? healthy : silent);
  for (const owner of owners) {
    await happen(
      edge,
      owner,
      Array.from({ length: 20 }, (_, lane): [WebhookType, number] => ["campaign.paused", lane]),
    );
  }
  const claimed = await claimAfterPlan(edge.ctx);
  assert.equal(claimed.length, 12 * 4, "four of each");
  edge.clock.now += 31_000;
  await Promise.all(claimed.map((call) => tryCall(edge.ctx, edge.ctx.webhooks!, call)));
  // The failures are known: from now on each silent one has one call under way.
  edge.clock.now += 10_000;
  const later = await claimAfterPlan(edge.ctx);
  assert.equal(later.length, 11 + 4);
  await Promise.all(later.map((call) => tryCall(edge.ctx, edge.ctx.webhooks!, call)));
  assert.equal(healthy.taken.length, 8);
  over.resolve();
});

Deno.test("a disabled owner's webhook is not called, and a removed one's calls are dropped", async () => {
  await using edge = await openTestApp();
  await using hook = startHook();
  const owner = await edge.addPerson();
  const { webhook } = await addWebhook(owner, hook);
  await happen(edge, owner, [["campaign.started", 1]]);
  await edge.ctx.db.execute({ sql: "UPDATE users SET disabled = 1 WHERE id = ?", args: [owner.id] });
  assert.equal(await sendDueWebhooks(edge.ctx), 0);
  await edge.ctx.db.execute({ sql: "UPDATE users SET disabled = 0 WHERE id = ?", args: [owner.id] });
  assert.equal((await owner.ask(`/api/webhooks/${webhook.id}`, { method: "DELETE" })).status, 204);
  assert.equal(await sendDueWebhooks(edge.ctx), 0);
  assert.deepEqual(hook.calls, []);
});

async function pausedOf({ ctx }: Pick<TestApp, "ctx">, id: number): Promise<unknown> {
  const { rows: [row] } = await ctx.db.execute({
    sql: "SELECT paused_why FROM webhook_endpoints WHERE id = ?",
    args: [id],
  });
  return row!.paused_why;
}

async function claimAfterPlan(ctx: EdgeContext) {
  while (await planCalls(ctx) > 0);
  return await claimCalls(ctx, 64);
}

/** Sessions end long before three days. */
async function stayLoggedIn({ ctx }: Pick<TestApp, "ctx">): Promise<void> {
  await ctx.db.execute({ sql: "UPDATE sessions SET created_at = ?1, last_seen_at = ?1", args: [ctx.now()] });
}

Deno.test("the loop sends at once when it is woken, goes on in a lane without a rest, and ends while a receiver is silent", async () => {
  await using edge = await openTestApp();
  const over = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using hook = startHook(async (_, no) => {
    if (no === 3) arrived.resolve();
    if (no < 4) return new Response(null, { status: 204 });
    asked.resolve();
    await over.promise;
    return new Response(null, { status: 204 });
  });
  const owner = await edge.addPerson();
  await addWebhook(owner, hook);
  const waker = createWaker();
  const stopping = new AbortController();
  // No rest ends by time here.
  const sleep = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((done) => {
      if (signal.aborted) done();
      else signal.addEventListener("abort", () => done(), { once: true });
    });
  const running = runWebhooks(edge.ctx, { sleep, waker }, stopping.signal);
  await happen(edge, owner, [["campaign.queued", 1], ["campaign.started", 1], ["campaign.completed", 1]]);
  waker.wake();
  await arrived.promise;
  await happen(edge, owner, [["campaign.queued", 2]]);
  waker.wake();
  await asked.promise;
  stopping.abort();
  await running;
  over.resolve();
  while ((await edge.ctx.db.execute("SELECT 1 FROM webhook_calls WHERE state = 'waiting'")).rows.length > 0) {
    await new Promise((done) => setTimeout(done, 1));
  }
});

Deno.test("two sender loops on one database share the calls", async () => {
  await using edge = await openTestApp();
  const all = Promise.withResolvers<void>();
  await using hook = startHook((_, no) => {
    if (no === 120) all.resolve();
    return new Response(null, { status: 204 });
  });
  const owner = await edge.addPerson();
  await addWebhook(owner, hook);
  const lanes = await happen(
    edge,
    owner,
    Array.from({ length: 120 }, (_, no): [WebhookType, number] => ["campaign.paused", no % 5]),
  );
  const stopping = new AbortController();
  const loops = [0, 1].map(() => {
    const waker = createWaker();
    const sleep = () => new Promise<void>((done) => setTimeout(done, 0));
    return runWebhooks({ ...edge.ctx }, { sleep, waker }, stopping.signal);
  });
  await all.promise;
  stopping.abort();
  await Promise.all(loops);
  while ((await edge.ctx.db.execute("SELECT 1 FROM webhook_calls WHERE state = 'waiting'")).rows.length > 0) {
    await new Promise((done) => setTimeout(done, 1));
  }
  checkTaken(hook.taken, lanes);
  assert.equal(hook.calls.length, 120);
});
