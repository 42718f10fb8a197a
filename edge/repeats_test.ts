/** Calls with an Idempotency-Key, through the door: one act for each key, whatever happens between. */
import assert from "node:assert/strict";
import { markOf } from "./audit_log/number_mark.ts";
import { CALL_RUNS_MS } from "./http/repeat_calls.ts";
import { REPEATABLE } from "./repeats.ts";
import { type AdminHouse, openAdminHouse } from "./testing/admin_house.ts";
import { report, sendNew, take } from "./testing/queue_acts.ts";
import { ROUTES } from "./testing/route_table.ts";
import { type AskInit, openTestApp, PROOF, type TestPerson } from "./testing/test_app.ts";
import { runAllDueTicks } from "./ticks.ts";

type Asker = Pick<TestPerson, "ask">;

async function call(who: Asker, path: string, key: string, init: AskInit) {
  const headers = { "idempotency-key": key, ...init.headers as Record<string, string> };
  const answer = await who.ask(path, { method: "POST", ...init, headers });
  const body = await answer.json();
  return { status: answer.status, body, isRepeated: answer.headers.get("idempotency-replayed") === "true" };
}

function draft(name: string): FormData {
  const form = new FormData();
  form.set("name", name);
  form.set("message", "שלום");
  form.set("kind", "service");
  return form;
}

async function makeDraft(who: Asker, name = "סתיו"): Promise<number> {
  const answer = await who.ask("/api/campaigns", { method: "POST", body: draft(name) });
  return (await answer.json()).id;
}

async function countOf({ edge }: Pick<AdminHouse, "edge">, table: string): Promise<number> {
  return Number((await edge.ctx.db.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]!.n);
}

/** Makes a call twice, checks that the second did nothing and got the same answer, and returns the first. */
async function twice(who: Asker, path: string, init: () => AskInit) {
  const key = crypto.randomUUID();
  const first = await call(who, path, key, init());
  assert.ok(first.status < 300, JSON.stringify(first));
  assert.equal(first.isRepeated, false);
  const second = await call(who, path, key, init());
  assert.deepEqual(second, { ...first, isRepeated: true });
  return first;
}

Deno.test("every call that is repeatable is a route, and no read is", () => {
  for (const route of REPEATABLE) assert.ok(ROUTES[route] && !route.startsWith("GET "), route);
});

/** Calls that are done once however often they are made, or that nobody can make again by mistake. */
const DONE_TWICE_IS_DONE_ONCE = [
  // Logins and their factors: a body holds a password or a code, and the answers are sessions and secrets.
  ...["login", "logout", "password", "second-factor", "second-factor/confirm", "second-factor/codes"].map(
    (what) => `POST /api/auth/${what}`,
  ),
  "POST /api/join",
  "POST /api/join/look",
  "POST /api/removals/:token",
  "POST /api/agent/enroll",
  // Reads, whose question stands in no address.
  "POST /api/campaigns/:id/contacts/preview",
  "POST /api/campaigns/:id/contacts/left-out",
  "POST /api/campaigns/:id/contacts/lists/count",
  "POST /api/campaigns/:id/deliveries/search",
  "POST /api/campaigns/:id/personal/rows",
  "POST /api/lists/:id/search",
  "POST /api/suppressions/search",
  "POST /api/admin/activity/search",
  "POST /api/admin/audit/check",
  "POST /api/admin/campaigns/search",
  "POST /api/admin/erasures/effect",
  "POST /api/admin/files/search",
  "POST /api/admin/opt-outs/search",
  "POST /api/admin/search",
  // A second press finds the state that the first one made.
  "POST /api/campaigns/:id/pause",
  "POST /api/campaigns/:id/cancel",
  "POST /api/campaigns/:id/take-back",
  "POST /api/people/:id/confirm",
  "POST /api/keys/:id/confirm",
  "POST /api/admin/accounts/:id/release",
  "POST /api/admin/campaigns/:id/hours-waiver",
  "POST /api/admin/campaigns/:id/numbers",
  "POST /api/admin/lists/:id/numbers",
  "POST /api/admin/looks",
  "POST /api/admin/looks/:id/still",
  "POST /api/admin/queues/clear",
  "POST /api/admin/sites/:id/rehearsals",
  "POST /api/admin/sites/:id/revoke",
  "POST /api/admin/sites/:id/start",
  "POST /api/admin/sites/:id/write-off",
  // A message to the operator's own mailbox or address.
  "POST /api/admin/alerts/test",
];

Deno.test("each POST is repeatable, or named here as one that is done once however often it is made", () => {
  const posts = Object.keys(ROUTES).filter((route) => route.startsWith("POST "));
  const repeatable = REPEATABLE.filter((route) => route.startsWith("POST "));
  assert.deepEqual([...repeatable, ...DONE_TWICE_IS_DONE_ONCE].sort(), posts.sort());
});

Deno.test("a draft is made once for each key, though a browser chooses another boundary", async () => {
  await using house = await openAdminHouse();
  const owner = await house.edge.addPerson();
  const first = await twice(owner, "/api/campaigns", () => ({ body: draft("סתיו") }));
  assert.equal(first.status, 201);
  assert.equal(await countOf(house, "campaigns"), 1);
  const other = await call(owner, "/api/campaigns", crypto.randomUUID(), { body: draft("סתיו") });
  assert.equal(other.status, 201);
  assert.equal(await countOf(house, "campaigns"), 2);
});

Deno.test("a send takes the quota once, a test goes out once, and an upload adds once", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson({ messageQuota: 10 });
  const id = await makeDraft(owner);
  const pasted = await twice(owner, `/api/campaigns/${id}/contacts/manual`, () => ({
    json: { numbers: "0521111111\n0522222222\nabc\n0521111111" },
  }));
  assert.deepEqual([pasted.body.total, pasted.body.problems.length], [2, 1]);
  const file = () => {
    const form = new FormData();
    form.set("file", new File(["phone\n0523333333\n"], "list.csv"));
    return { body: form };
  };
  const loaded = await twice(owner, `/api/campaigns/${id}/contacts`, file);
  assert.equal(loaded.body.total, 1);
  assert.equal(await countOf(house, "imports"), 2);
  const tested = await twice(owner, `/api/campaigns/${id}/test`, () => ({ json: { phone: "0529999999" } }));
  assert.equal(tested.body.remainingQuota, 9);
  const sent = await twice(owner, `/api/campaigns/${id}/send`, () => ({ json: {} }));
  assert.deepEqual(sent.body, { remainingQuota: 6 });
  assert.equal(await countOf(house, "campaigns"), 2);
  const copied = await twice(owner, `/api/campaigns/${id}/duplicate`, () => ({ json: { contacts: "all" } }));
  assert.equal(copied.body.counts.queued, 3);
  await twice(owner, `/api/campaigns/${id}/duplicate`, () => ({ json: { contacts: "none" } }));
  assert.equal(await countOf(house, "campaigns"), 4);
});

Deno.test("lists, their people and staged files are made once, also through the file that is gone by then", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson({ messageQuota: 10 });
  const list = await twice(owner, "/api/lists", () => ({ json: { name: "לקוחות" } }));
  assert.deepEqual([list.status, list.body.name], [201, "לקוחות"]);
  const path = `/api/lists/${list.body.id}`;
  const one = await twice(owner, `${path}/contacts`, () => ({
    json: { phone: "0521111111", fields: { שם: "נועה" } },
  }));
  assert.deepEqual([one.status, one.body.fields], [201, { שם: "נועה" }]);
  const consent = { basis: "opt_in", source: "טופס", obtainedOn: "2026-11-01" };
  const pasted = await twice(owner, `${path}/numbers`, () => ({ json: { numbers: "0522222222", consent } }));
  assert.equal(pasted.body.added, 1);
  assert.equal(await countOf(house, "consent_declarations"), 1);
  const fileOf = (text: string) => () => {
    const body = new FormData();
    body.set("file", new File([text], "list.csv"));
    return { body };
  };
  assert.equal((await twice(owner, `${path}/file`, fileOf("phone\n0523333333\n"))).body.added, 1);
  const staged = await twice(owner, "/api/staged-files", fileOf("phone\n0524444444\n"));
  assert.equal(await countOf(house, "staged_files"), 1);
  const choice = { phone: 1, fields: [] };
  const taken = { json: { file: staged.body.id, choice } };
  assert.equal((await twice(owner, `${path}/staged`, () => taken)).body.added, 1);
  assert.equal(await countOf(house, "staged_files"), 0);
  const id = await makeDraft(owner);
  const again = await twice(owner, "/api/staged-files", fileOf("phone\n0525555555\n"));
  const added = await twice(
    owner,
    `/api/campaigns/${id}/contacts/staged`,
    () => ({ json: { file: again.body.id, choice } }),
  );
  assert.equal(added.body.total, 1);
  const people = await twice(
    owner,
    `/api/campaigns/${id}/contacts/lists`,
    () => ({ json: { lists: [list.body.id] } }),
  );
  assert.equal(people.body.total, 4);
  assert.equal(await countOf(house, "imports"), 2);
  const back = await twice(
    owner,
    `${path}/campaign`,
    () => ({ json: { campaign: id, states: ["queued"] } }),
  );
  assert.deepEqual([back.body.added, back.body.known], [1, 4]);
});

Deno.test("a resumed campaign that is paused again meanwhile stays paused, though the call is made again", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const owner = await edge.addPerson({ messageQuota: 10 });
  const { id } = await sendNew(fleet, 2, owner);
  const pause = () => owner.ask(`/api/campaigns/${id}/pause`, { method: "POST" });
  assert.equal((await pause()).status, 200);
  const first = await call(owner, `/api/campaigns/${id}/resume`, "k", {});
  assert.deepEqual([first.status, first.body.status], [200, "processing"]);
  assert.equal((await pause()).status, 200);
  const second = await call(owner, `/api/campaigns/${id}/resume`, "k", {});
  assert.deepEqual(second, { ...first, isRepeated: true });
  const { rows } = await edge.ctx.db.execute("SELECT status FROM campaigns");
  assert.equal(rows[0]!.status, "paused");
});

Deno.test("users, erasures, commands and decisions about replies are made once", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  const user = await twice(admin, "/api/users", () => ({
    json: { username: "הדר", password: "sisma-aruka-1", role: "client", messageQuota: 4 },
  }));
  assert.deepEqual([user.status, user.body.messageQuota], [201, 4]);
  const erasure = await twice(
    admin,
    "/api/admin/erasures",
    () => ({ json: { phone: "0501234567", reason: "בקשת מחיקה" } }),
  );
  assert.equal(erasure.status, 201);
  assert.equal(await countOf(house, "erasures"), 1);
  await fleet.addSite();
  const command = await twice(admin, "/api/admin/devices/1/restart", () => ({}));
  assert.equal(command.status, 202);
  assert.equal(await countOf(house, "commands"), 1);
  const owner = await edge.addPerson();
  const decided = await twice(owner, "/api/replies/decide", () => ({ json: { ids: [7], as: "remove" } }));
  assert.deepEqual(decided.body, { decided: 0 });
});

Deno.test("a call that shows a secret makes one thing, and the secret is told once", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson();
  const scopes = { name: "CRM", mode: "live", scopes: ["reports"] };
  const calls: [Asker, string, Record<string, unknown>, string][] = [
    [owner, "/api/keys", scopes, "api_keys"],
    [owner, "/api/invitations", { label: "נועה", duty: "writer" }, "invitations"],
    [admin, "/api/admin/sites", { name: "תל אביב" }, "sites"],
    [admin, "/api/admin/sites/1/token", {}, "join_tokens"],
  ];
  for (const [who, path, json, table] of calls) {
    const before = await countOf(house, table);
    const first = await call(who, path, `k ${path}`.replace(" ", ""), { json: { ...json, proof: PROOF } });
    assert.ok(first.status < 300, JSON.stringify(first));
    // The same act, with another proof or with none.
    for (const proof of [{ password: "אחרת" }, undefined]) {
      const again = await call(who, path, `k${path}`, { json: { ...json, proof } });
      assert.deepEqual([again.status, again.body.code], [409, "secret_given"]);
    }
    assert.ok(await countOf(house, table) - before <= 1, table);
    const other = await call(who, path, `k${path}`, { json: { ...json, more: 1, proof: PROOF } });
    assert.deepEqual([other.status, other.body.code], [422, "call_key_reused"]);
  }
});

Deno.test("a repeated decision to send again moves nothing that has become unknown since", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const owner = await edge.addPerson({ messageQuota: 10 });
  const site = await fleet.addSite();
  const { id } = await sendNew(fleet, 2, owner);
  await report(fleet, site, await take(fleet, site, 2), "unknown");
  const key = crypto.randomUUID();
  const path = `/api/campaigns/${id}/deliveries/resolve`;
  const json = { ids: "all", as: "resend" };
  const first = await call(owner, path, key, { json });
  assert.deepEqual(first.body, { changed: 2 });
  edge.clock.now += 60_000;
  await report(fleet, site, await take(fleet, site, 2), "unknown");
  const second = await call(owner, path, key, { json });
  assert.deepEqual([second.status, second.body, second.isRepeated], [200, { changed: 2 }, true]);
  const { rows: [{ n }] } = await edge.ctx.db.execute(
    "SELECT count(*) AS n FROM deliveries WHERE state = 'unknown'",
  );
  assert.equal(n, 2);
});

Deno.test("removals, quota and administrators' files are added once", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson({ messageQuota: 5 });
  const removed = await twice(owner, "/api/suppressions", () => ({ json: { numbers: "0501234567" } }));
  assert.equal(removed.body.added, 1);
  const list = () => {
    const form = new FormData();
    form.set("file", new File(["phone\n0523333333\n"], "list.csv"));
    return form;
  };
  assert.equal((await twice(owner, "/api/suppressions/file", () => ({ body: list() }))).body.added, 1);
  const corrections = `/api/users/${owner.id}/quota/corrections`;
  const correct = () => ({ json: { delta: 3, reason: "תיקון של טעות" } });
  assert.equal((await twice(admin, corrections, correct)).body.messageQuota, 8);
  const named = { json: { delta: 1, reason: "תיקון של טעות", requestId: "correction-1" } };
  await twice(admin, corrections, () => named);
  await twice(admin, corrections, () => named);
  const quota = await twice(
    admin,
    `/api/users/${owner.id}/quota`,
    () => ({ method: "PATCH", json: { messageQuota: 20 } }),
  );
  assert.equal(quota.body.messageQuota, 20);
  const id = await makeDraft(owner);
  const file = () => {
    const form = list();
    form.set("target", String(id));
    return { body: form };
  };
  assert.equal((await twice(admin, "/api/admin/files", file)).status, 202);
  assert.equal(await countOf(house, "imports"), 1);
});

Deno.test("the same key with another body, path or caller is not the same call", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const [owner, other] = [await edge.addPerson(), await edge.addPerson()];
  const key = "order-17";
  assert.equal((await call(owner, "/api/campaigns", key, { body: draft("סתיו") })).status, 201);
  const changed = await call(owner, "/api/campaigns", key, { body: draft("אביב") });
  assert.deepEqual([changed.status, changed.body.code], [422, "call_key_reused"]);
  const elsewhere = await call(owner, "/api/suppressions", key, { json: { numbers: "0501234567" } });
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, "call_key_reused"]);
  assert.equal(
    (await call(other, "/api/campaigns", key, { body: draft("סתיו") })).status,
    201,
    "another's key",
  );
  assert.equal(await countOf(house, "campaigns"), 2);
  for (const wrong of ["x".repeat(256), "a b"]) {
    const refused = await call(owner, "/api/campaigns", wrong, { body: draft("סתיו") });
    assert.deepEqual([refused.status, refused.body.code], [400, "invalid_input"]);
  }
});

Deno.test("a refused call leaves no trace: corrected, it may be made with the same key", async () => {
  await using house = await openAdminHouse();
  const owner = await house.edge.addPerson();
  const reader = await house.edge.addColleague(owner, "reader");
  assert.equal((await call(owner, "/api/campaigns", "k", { body: draft("") })).status, 400);
  assert.equal((await call(reader, "/api/campaigns", "k", { body: draft("סתיו") })).status, 403);
  assert.equal(await countOf(house, "repeatable_calls"), 0);
  assert.equal((await call(owner, "/api/campaigns", "k", { body: draft("סתיו") })).status, 201);
});

Deno.test("of twenty equal calls at once one acts; the others wait, or get its answer", async () => {
  await using house = await openAdminHouse();
  const owner = await house.edge.addPerson();
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      () => call(owner, "/api/suppressions", "k", { json: { numbers: "0501234567" } }),
    ),
  );
  assert.equal(answers.filter(({ status, isRepeated }) => status === 200 && !isRepeated).length, 1);
  for (const { status, body, isRepeated } of answers) {
    if (status === 200) assert.ok(!isRepeated || body.added === 1);
    else assert.deepEqual([status, body.code], [409, "call_running"]);
  }
  assert.equal(await countOf(house, "suppressions"), 1);
});

Deno.test("a call whose edge died runs again after two minutes, and not before", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson();
  // What an edge leaves that dies between the key and the effect.
  await edge.ctx.db.execute({
    sql:
      `INSERT INTO repeatable_calls (person, key_mark, attempt, began_at, runs_until) VALUES (?, ?, 'dead', ?, ?)`,
    args: [owner.id, markOf(edge.ctx, "call", "k"), edge.clock.now, edge.clock.now + CALL_RUNS_MS],
  });
  edge.clock.now += CALL_RUNS_MS - 1;
  assert.equal((await call(owner, "/api/campaigns", "k", { body: draft("סתיו") })).status, 409);
  edge.clock.now += 1;
  assert.equal((await call(owner, "/api/campaigns", "k", { body: draft("סתיו") })).status, 201);
});

Deno.test("a run that was taken for dead, and lives, undoes its effect: one draft is made", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson();
  const { headers, body } = new Response(draft("סתיו"));
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>();
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await mayEnd;
      controller.enqueue(bytes);
      controller.close();
    },
  }, { highWaterMark: 0 });
  const type = { "content-type": headers.get("content-type")! };
  const first = owner.ask("/api/campaigns", {
    method: "POST",
    body: slow,
    headers: { "idempotency-key": "k", ...type },
  });
  while (await countOf(house, "repeatable_calls") === 0) await new Promise((done) => setTimeout(done, 1));
  edge.clock.now += CALL_RUNS_MS;
  const second = await call(owner, "/api/campaigns", "k", { body: draft("סתיו") });
  assert.deepEqual([second.status, second.isRepeated], [201, false]);
  letEnd();
  const answer = await first;
  assert.equal(answer.status, 500);
  await answer.body?.cancel();
  assert.equal(await countOf(house, "campaigns"), 1);
  const third = await call(owner, "/api/campaigns", "k", { body: draft("סתיו") });
  assert.deepEqual([third.status, third.isRepeated, third.body.id], [201, true, second.body.id]);
});

Deno.test("a key is remembered for a day, with no number, text or key in the database", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson();
  const json = { numbers: "0501234567\nabc0509999999x" };
  await call(owner, "/api/suppressions", "order-0501234567", { json });
  const { rows } = await edge.ctx.db.execute("SELECT * FROM repeatable_calls");
  assert.doesNotMatch(JSON.stringify(rows.map((row) => ({ ...row }))), /501234567|509999999|order|abc/);
  edge.clock.now += 24 * 60 * 60_000 - 1;
  await runAllDueTicks(edge.ctx);
  assert.ok(await countOf(house, "repeatable_calls") > 0);
  edge.clock.now += 60_001;
  await runAllDueTicks(edge.ctx);
  assert.equal(await countOf(house, "repeatable_calls"), 0);
});

Deno.test("a key of the API repeats its owner's calls, over its own replacement", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const [old, next] = [await edge.addKey(owner), await edge.addKey(owner)];
  const first = await call(old, "/api/campaigns", "k", { body: draft("סתיו") });
  await owner.ask(`/api/keys/${old.id}`, { method: "DELETE" });
  const second = await call(next, "/api/campaigns", "k", { body: draft("סתיו") });
  assert.deepEqual(second, { ...first, isRepeated: true });
  const reads = await edge.addKey(owner, { scopes: ["reports"] });
  const refused = await call(reads, "/api/campaigns", "k", { body: draft("סתיו") });
  assert.deepEqual([refused.status, refused.body.code], [403, "key_scope"]);
});

Deno.test("what a test key tried is no repetition for a live key", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const [test, live] = [await edge.addKey(owner, { mode: "test" }), await edge.addKey(owner)];
  const tried = await twice(test, "/api/campaigns", () => ({ body: draft("סתיו") }));
  await call(test, "/api/campaigns", "order-17", { body: draft("סתיו") });
  const inEarnest = await call(live, "/api/campaigns", "order-17", { body: draft("סתיו") });
  assert.deepEqual([inEarnest.status, inEarnest.isRepeated], [201, false]);
  assert.notEqual(inEarnest.body.id, tried.body.id);
});
