import assert from "node:assert/strict";
import { CLIENT_SCOPES, MAX_KEYS } from "shared/api_key.ts";
import { beginAgain } from "../backup/begin_again.ts";
import { KEY_BOUNDS } from "shared/call_limits.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { paste } from "../testing/advertising.ts";
import { openTestApp, PROOF, type TestKey, type TestPerson } from "../testing/test_app.ts";
import { runAllDueTicks } from "../ticks.ts";

const DAY_MS = 24 * 60 * 60_000;

async function answerOf(
  who: Pick<TestPerson, "ask">,
  path: string,
  init: Parameters<TestKey["ask"]>[1] = {},
) {
  const answer = await who.ask(path, init);
  return answer.ok ? [answer.status] : [answer.status, (await answer.json()).code];
}
const post = (json: unknown) => ({ method: "POST", json });

function draft(name: string): RequestInit {
  const form = new FormData();
  form.set("name", name);
  form.set("message", "שלום");
  form.set("kind", "service");
  return { method: "POST", body: form };
}

Deno.test("a key calls as its client: without a cookie, without an origin, and with its scopes alone", async () => {
  await using edge = await openTestApp();
  const [owner, other] = [await edge.addPerson(), await edge.addPerson()];
  const key = await edge.addKey(owner, { scopes: ["campaigns:read", "campaigns:write"] });
  const made = await key.ask("/api/campaigns", {
    ...draft("סתיו"),
    headers: { origin: "https://crm.example" },
  });
  assert.equal(made.status, 201, await made.clone().text());
  const { id } = await made.json();
  assert.deepEqual(await answerOf(owner, `/api/campaigns/${id}`), [200], "it is the client's");
  assert.deepEqual(await answerOf(key, `/api/campaigns/${id}`), [200]);
  assert.deepEqual(await answerOf(await edge.addKey(other), `/api/campaigns/${id}`), [404, "not_found"]);
  assert.deepEqual(await answerOf(key, `/api/campaigns/${id}/send`, post({})), [403, "key_scope"]);
  assert.deepEqual(await answerOf(key, `/api/campaigns/${id}/deliveries`), [403, "key_scope"]);
  assert.deepEqual(await answerOf(key, "/api/auth/me"), [200]);
  const me = await (await key.ask("/api/auth/me")).json();
  assert.equal(me.username, owner.username);
});

Deno.test("beside a key the cookie is never read: a wrong key is 401 for a logged-in browser, too", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const { secret } = await edge.addKey(owner);
  const wrong = secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0");
  for (const bearer of [wrong, "x", "", secret.replace("live", "test")]) {
    const headers = { authorization: `Bearer ${bearer}` };
    assert.deepEqual(await answerOf(owner, "/api/campaigns", { headers }), [401, "key_invalid"], bearer);
    assert.deepEqual(await answerOf(owner, "/ws", { headers }), [401, "key_invalid"]);
  }
  const answer = await edge.visitor.ask("/api/campaigns", { headers: { authorization: `Bearer ${wrong}` } });
  assert.equal(answer.headers.get("www-authenticate"), "Bearer");
});

Deno.test("a key is shown once, with a password; the database holds no part of it that opens anything", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const asked = { name: "CRM של 0501234567", mode: "live", scopes: ["reports"] };
  assert.deepEqual(await answerOf(owner, "/api/keys", post(asked)), [403, "proof_needed"]);
  const wrongProof = { ...asked, proof: { password: "wrong password" } };
  assert.deepEqual(await answerOf(owner, "/api/keys", post(wrongProof)), [401, "wrong_credentials"]);
  const answer = await owner.ask("/api/keys", post({ ...asked, proof: PROOF }));
  const { key, secret } = await answer.json();
  assert.equal(answer.status, 201);
  assert.ok(secret.startsWith(key.start));
  assert.ok(!key.name.includes("0501234567"));
  const { keys } = await (await owner.ask("/api/keys")).json();
  assert.deepEqual(keys, [key]);
  const random = secret.slice("shg_live_".length + 4);
  const { rows } = await edge.ctx.db.execute("SELECT * FROM api_keys");
  const { rows: audit } = await edge.ctx.db.execute("SELECT * FROM audit_log");
  for (const row of [...rows, ...audit]) assert.ok(!JSON.stringify(Object.values(row)).includes(random));
  assert.ok(edge.logged.every((line) => !line.includes(random)));
});

Deno.test("a key that is asked for wrongly is refused: past, beyond the role, or beyond the number", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const admin = await edge.addPerson({ role: "admin" });
  const make = (who: TestPerson, key: object) =>
    answerOf(who, "/api/keys", post({ name: "x", mode: "live", scopes: ["reports"], proof: PROOF, ...key }));
  const invalid = [400, "invalid_input"];
  assert.deepEqual(await make(owner, { expiresAt: edge.clock.now }), invalid);
  assert.deepEqual(await make(owner, { scopes: ["admin:read"] }), invalid);
  assert.deepEqual(await make(owner, { scopes: [] }), invalid);
  assert.deepEqual(await make(owner, { scopes: ["everything"] }), invalid);
  assert.deepEqual(await make(owner, { addresses: ["office"] }), invalid);
  assert.deepEqual(await make(owner, { dailyLimit: 0 }), invalid);
  assert.deepEqual(await make(admin, {}), invalid);
  assert.deepEqual(await make(admin, { scopes: ["admin:read"], mode: "test" }), invalid);
  assert.deepEqual(await make(admin, { scopes: ["admin:read"] }), [201]);
  for (let i = 0; i < MAX_KEYS; i++) assert.deepEqual(await make(owner, {}), [201]);
  assert.deepEqual(await make(owner, {}), [409, "too_many_keys"]);
});

Deno.test("a revoked key opens nothing from the next call on", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner);
  assert.deepEqual(await answerOf(key, "/api/campaigns"), [200]);
  assert.deepEqual(await answerOf(owner, `/api/keys/${key.id}`, { method: "DELETE" }), [204]);
  assert.deepEqual(await answerOf(key, "/api/campaigns"), [401, "key_invalid"]);
  assert.deepEqual(await answerOf(owner, `/api/keys/${key.id}`, { method: "DELETE" }), [404, "not_found"]);
  assert.deepEqual((await (await owner.ask("/api/keys")).json()).keys, []);
});

Deno.test("a key ends by time, with its client, and by nobody's word while an administrator owes a second factor", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson();
  const dies = await edge.addKey(owner, { expiresAt: edge.clock.now + DAY_MS });
  const stays = await edge.addKey(owner);
  edge.clock.now += DAY_MS - 1;
  assert.deepEqual(await answerOf(dies, "/api/campaigns"), [200]);
  edge.clock.now += 1;
  assert.deepEqual(await answerOf(dies, "/api/campaigns"), [401, "key_invalid"]);
  assert.deepEqual(await answerOf(stays, "/api/campaigns"), [200]);
  const disable = { method: "PATCH", json: { disabled: true, proof: PROOF } };
  assert.deepEqual(await answerOf(admin, `/api/users/${owner.id}`, disable), [200]);
  assert.deepEqual(await answerOf(stays, "/api/campaigns"), [401, "key_invalid"]);

  const adminKey = await edge.addKey(admin, { scopes: ["admin:read"] });
  assert.deepEqual(await answerOf(adminKey, "/api/admin/dashboard"), [200]);
  await edge.ctx.db.execute(
    "INSERT INTO settings (key, value, updated_at) VALUES ('adminsNeedSecondFactor', 'true', 0)",
  );
  assert.deepEqual(await answerOf(adminKey, "/api/admin/dashboard"), [403, "second_factor_required"]);
});

Deno.test("a key with addresses works from them alone", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner, { addresses: ["203.0.113.0/24", "2001:db8:0:1::/64"] });
  const from = (address: string) => answerOf(key, "/api/campaigns", { address });
  assert.deepEqual(await from("203.0.113.9"), [200]);
  assert.deepEqual(await from("2001:db8:0:1::9"), [200]);
  assert.deepEqual(await from("203.0.114.9"), [403, "key_address"]);
  assert.deepEqual(await from("2001:db8:0:2::9"), [403, "key_address"]);
});

Deno.test("a key's daily limit holds exactly, over a restart, until midnight in Israel", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner, { dailyLimit: 3 });
  const large = await edge.addKey(owner, { dailyLimit: 250 });
  for (let i = 0; i < 3; i++) assert.deepEqual(await answerOf(key, "/api/auth/me"), [200]);
  const refused = await key.ask("/api/auth/me");
  assert.equal(refused.status, 429);
  assert.equal((await refused.json()).code, "key_day_over");
  assert.equal(refused.headers.get("retry-after"), String(14 * 60 * 60), "10:00 in Jerusalem");
  let served = 0;
  while ((await large.ask("/api/auth/me")).ok) served += 1;
  assert.equal(served, 250);
  edge.clock.now += 14 * 60 * 60_000;
  assert.deepEqual(await answerOf(key, "/api/auth/me"), [200]);
});

Deno.test("the last use of a key is written once a minute", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner);
  const used = async () => (await (await owner.ask("/api/keys")).json()).keys[0].lastUsedAt;
  assert.equal(await used(), null);
  const first = edge.clock.now;
  await key.ask("/api/auth/me");
  assert.equal(await used(), first);
  edge.clock.now += 59_999;
  await key.ask("/api/auth/me");
  assert.equal(await used(), first);
  edge.clock.now += 1;
  await key.ask("/api/auth/me");
  assert.equal(await used(), first + 60_000);
});

Deno.test("the audit log names the key beside the person, when it is made, used and revoked", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner);
  const numbers = { json: { numbers: "0501234567" }, method: "POST" };
  assert.deepEqual(await answerOf(key, "/api/suppressions", numbers), [200]);
  assert.deepEqual(
    await answerOf(owner, "/api/suppressions", { ...numbers, json: { numbers: "0501234568" } }),
    [200],
  );
  await owner.ask(`/api/keys/${key.id}`, { method: "DELETE" });
  const { items } = await (await admin.ask("/api/admin/audit")).json();
  const lines = items.filter(({ actorName, kind }: { actorName: string; kind: string }) =>
    actorName === owner.username && kind !== "login"
  ).map(({ text }: { text: string }) => text).reverse();
  assert.deepEqual(lines, [
    `נוצר מפתח API מספר ${key.id}: ${CLIENT_SCOPES.join(" ")}`,
    `לרשימת ההסרה של הלקוח נוספו: מספר אחד (במפתח API מספר ${key.id})`,
    "לרשימת ההסרה של הלקוח נוספו: מספר אחד",
    `מפתח API מספר ${key.id} בוטל`,
  ]);
});

Deno.test("entries that the database's rules write name the key, too", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner);
  const adminKey = await edge.addKey(admin, { scopes: ["admin:write"] });
  const { id } = await (await key.ask("/api/campaigns", draft("סתיו"))).json();
  const loaded = new FormData();
  loaded.set("file", new File(["phone\n0523333333\n"], "list.csv"));
  assert.deepEqual(await answerOf(key, `/api/campaigns/${id}/contacts`, { method: "POST", body: loaded }), [
    200,
  ]);
  assert.deepEqual(await answerOf(key, `/api/campaigns/${id}/contacts`, { method: "DELETE" }), [204]);
  const { id: byPerson } = await (await owner.ask("/api/campaigns", draft("אביב"))).json();
  for (const [who, campaign] of [[key, id], [owner, byPerson]] as const) {
    const kind = { method: "PATCH", json: { kind: "marketing" } };
    assert.deepEqual(await answerOf(who, `/api/campaigns/${campaign}`, kind), [200]);
  }
  const correction = post({ delta: 1, reason: "תיקון של טעות" });
  assert.deepEqual(await answerOf(adminKey, `/api/users/${owner.id}/quota/corrections`, correction), [200]);
  const quota = { method: "PATCH", json: { messageQuota: 9 } };
  assert.deepEqual(await answerOf(adminKey, `/api/users/${owner.id}/quota`, quota), [200]);
  assert.deepEqual(
    await answerOf(admin, `/api/users/${owner.id}/quota`, { ...quota, json: { messageQuota: 10 } }),
    [200],
  );
  const { rows } = await edge.ctx.db.execute(`SELECT kind, json_extract(data, '$.byKey') AS key FROM audit_log
    WHERE kind IN ('file_imported', 'campaign_kind_changed', 'quota_corrected', 'quota_changed') ORDER BY id`);
  assert.deepEqual(rows.map(({ kind, key }) => [kind, key]), [
    ["file_imported", key.id],
    ["campaign_kind_changed", key.id],
    ["campaign_kind_changed", null],
    ["quota_corrected", adminKey.id],
    ["quota_changed", adminKey.id],
    ["quota_changed", null],
  ]);
});

Deno.test("a test key reads, and changes drafts; it sends nothing, and neither pauses nor removes", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson({ messageQuota: 5 });
  const key = await edge.addKey(owner, { mode: "test" });
  const { id } = await (await key.ask("/api/campaigns", draft("ניסיון"))).json();
  const added = await key.ask(`/api/campaigns/${id}/contacts/manual`, post({ numbers: "0521111111" }));
  assert.ok(added.ok, await added.text());
  assert.deepEqual(await answerOf(key, `/api/campaigns/${id}`), [200]);
  for (const act of ["send", "test", "pause", "resume", "cancel", "take-back", "deliveries/resolve"]) {
    assert.deepEqual(await answerOf(key, `/api/campaigns/${id}/${act}`, post({})), [403, "test_key"], act);
  }
  const numbers = post({ numbers: "0501234567" });
  assert.deepEqual(await answerOf(key, "/api/suppressions", numbers), [403, "test_key"]);
  assert.deepEqual(await answerOf(key, "/api/replies/decide", post({ ids: [1], as: "keep" })), [
    403,
    "test_key",
  ]);
  assert.deepEqual(await answerOf(key, "/api/suppressions"), [200]);
  const { rows } = await edge.ctx.db.execute("SELECT status FROM campaigns");
  assert.deepEqual(rows.map(({ status }) => status), ["ready"]);
});

Deno.test("an administrator's key sees masked numbers", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const owner = await edge.addPerson();
  const { id } = await (await owner.ask("/api/campaigns", draft("סתיו"))).json();
  await paste(owner, id, "0521234567");
  const key = await edge.addKey(admin, { scopes: ["admin:read", "admin:write"] });
  const shown = { method: "POST", json: { reason: "בדיקה של תלונה", proof: PROOF } };
  assert.equal((await admin.ask(`/api/admin/campaigns/${id}/numbers`, shown)).status, 200);
  const listed = await (await key.ask(`/api/campaigns/${id}/deliveries`)).text();
  assert.ok(listed.includes("4567") && !listed.replaceAll("-", "").includes("521234567"), listed);
  assert.deepEqual(await answerOf(key, `/api/admin/campaigns/${id}/numbers`, shown), [403, "not_by_key"]);
});

Deno.test("after a restore keys wait until their owner confirms them", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner);
  await beginAgain(edge.ctx);
  assert.deepEqual(await answerOf(key, "/api/campaigns"), [401, "key_invalid"]);
  const login = await edge.visitor.ask("/api/auth/login", post({ username: owner.username, ...PROOF }));
  const cookie = login.headers.getSetCookie()[0]!.split(";")[0]!;
  const again = edge.knownPerson({ ...owner, cookie });
  const { keys } = await (await again.ask("/api/keys")).json();
  assert.deepEqual(keys.map(({ waits }: { waits: boolean }) => waits), [true]);
  assert.deepEqual(await answerOf(again, `/api/keys/${key.id}/confirm`, post({})), [403, "proof_needed"]);
  assert.deepEqual(await answerOf(again, `/api/keys/${key.id}/confirm`, post({ proof: PROOF })), [204]);
  assert.deepEqual(await answerOf(key, "/api/campaigns"), [200]);
});

Deno.test("keys that ended are forgotten after ninety days", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const revoked = await edge.addKey(owner);
  await edge.addKey(owner, { expiresAt: edge.clock.now + DAY_MS });
  const stays = await edge.addKey(owner);
  await owner.ask(`/api/keys/${revoked.id}`, { method: "DELETE" });
  const ids = async () => (await edge.ctx.db.execute("SELECT id FROM api_keys")).rows.map(({ id }) => id);
  edge.clock.now += 90 * DAY_MS;
  await runAllDueTicks(edge.ctx);
  assert.equal((await ids()).length, 3);
  edge.clock.now += 2 * DAY_MS;
  await runAllDueTicks(edge.ctx);
  assert.deepEqual(await ids(), [stays.id]);
});

Deno.test("a key's answers say how much is left; beyond its budget it waits, and its client's screens do not", async () => {
  const keyBounds = { key: { burst: 5, perSecond: 1 }, client: { burst: 8, perSecond: 2 } };
  await using edge = await openTestApp({ keyBounds });
  const owner = await edge.addPerson();
  const [key, second] = [await edge.addKey(owner), await edge.addKey(owner)];
  const left = async (who: TestKey) => {
    const { status, headers } = await who.ask("/api/auth/me");
    return [status, ...["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`))];
  };
  assert.deepEqual(await left(key), [200, "5", "4", "1"]);
  const refusedScope = await key.ask("/api/keys");
  assert.deepEqual([refusedScope.status, refusedScope.headers.get("ratelimit-remaining")], [403, "3"]);
  for (let i = 0; i < 3; i++) assert.equal((await key.ask("/api/auth/me")).status, 200);
  const refused = await key.ask("/api/auth/me");
  assert.equal(refused.status, 429);
  assert.equal((await refused.json()).code, "too_many_attempts");
  assert.deepEqual([refused.headers.get("retry-after"), refused.headers.get("ratelimit-remaining")], [
    "1",
    "0",
  ]);
  assert.deepEqual(await left(second), [200, "8", "2", "3"], "the client's own budget is nearer");
  for (let i = 0; i < 2; i++) await second.ask("/api/auth/me");
  assert.equal((await second.ask("/api/auth/me")).status, 429);
  for (let i = 0; i < 20; i++) assert.equal((await owner.ask("/api/campaigns")).status, 200, "its screens");
  edge.clock.now += 1_000;
  assert.equal((await key.ask("/api/auth/me")).status, 200);
  assert.equal(KEY_BOUNDS.key.burst >= 1_000, true, "a thousand messages within a second");
});
