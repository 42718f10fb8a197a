/** An account's webhooks through the doors: made, changed, tested, paused, given another secret, restored. */
import assert from "node:assert/strict";
import { ADMIN_SCOPES } from "shared/api_key.ts";
import { ADMIN_WEBHOOK_TYPES, MAX_ENDPOINTS } from "shared/webhook_event.ts";
import { watchAlerts } from "../alerts/watch_alerts.ts";
import { beginAgain } from "../backup/begin_again.ts";
import { watchSites } from "../admin/watch_sites.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { checkByStandard, startHook } from "../testing/fake_hook.ts";
import { TEST_APP_KEY } from "../testing/audit_parts.ts";
import { openTestApp, PROOF, type TestPerson } from "../testing/test_app.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { addWebhook, sendAll } from "../testing/webhook_acts.ts";
import { noteWebhook } from "./note_webhook.ts";
import { sendDueWebhooks } from "./run_webhooks.ts";
import { openWebhookKeys, readOldWebhookSecrets, sealWebhookSecretsAnew } from "./secrets.ts";

async function post(who: Pick<TestPerson, "ask">, path: string, json: unknown = {}) {
  const answer = await who.ask(`/api/webhooks${path}`, { method: "POST", json });
  const body = await answer.text();
  return { status: answer.status, body: body === "" ? null : JSON.parse(body) };
}

Deno.test("a test event arrives beside everything else, and its call shows what was sent and answered", async () => {
  await using edge = await openTestApp();
  await using hook = startHook((_, no) => new Response(null, { status: no === 1 ? 500 : 204 }));
  const owner = await edge.addPerson();
  const { webhook: { id }, secret } = await addWebhook(owner, hook, { types: ["campaign.completed"] });
  const { status, body: { callId } } = await post(owner, `/${id}/test`);
  assert.equal(status, 202);
  await sendAll(edge, 6_000);
  assert.deepEqual(hook.calls.map(({ body }) => body.type), ["webhook.test", "webhook.test"]);
  assert.equal(new Set(hook.calls.map((call) => call.id)).size, 1);
  hook.calls.forEach((call) => checkByStandard(call, secret));
  const call = await (await owner.ask(`/api/webhooks/${id}/calls/${callId}`)).json();
  assert.deepEqual([call.state, call.tries, call.webhookId, call.lastStatus], [
    "arrived",
    2,
    hook.calls[0]!.id,
    204,
  ]);
  assert.equal(call.body, hook.calls[0]!.raw);
  assert.deepEqual(call.attempts.map(({ status, reason }: Record<string, unknown>) => [status, reason]), [
    [204, null],
    [500, "refused"],
  ]);
});

Deno.test("for a day both secrets sign, and the old one can be ended at once", async () => {
  await using edge = await openTestApp();
  await using hook = startHook();
  const owner = await edge.addPerson();
  const { webhook: { id }, secret } = await addWebhook(owner, hook);
  const { body: renewed } = await post(owner, `/${id}/secret`, { proof: PROOF });
  assert.notEqual(renewed.secret, secret);
  const tested = async () => {
    await post(owner, `/${id}/test`);
    await sendAll(edge);
    return hook.calls.at(-1)!;
  };
  const both = await tested();
  checkByStandard(both, secret);
  checkByStandard(both, renewed.secret);
  await edge.ctx.db.execute(
    "UPDATE sessions SET created_at = created_at + 90000000, last_seen_at = last_seen_at + 90000000",
  );
  edge.clock.now += 25 * 60 * 60_000;
  const alone = await tested();
  checkByStandard(alone, renewed.secret);
  assert.throws(() => checkByStandard(alone, secret));
  const { body: third } = await post(owner, `/${id}/secret`, { proof: PROOF });
  assert.equal((await owner.ask(`/api/webhooks/${id}/secret`, { method: "DELETE" })).status, 204);
  const last = await tested();
  checkByStandard(last, third.secret);
  assert.throws(() => checkByStandard(last, renewed.secret));
});

Deno.test("the database holds a secret only sealed, bound to its account, and a change of APP_KEY seals it anew", async () => {
  await using edge = await openTestApp();
  await using hook = startHook();
  const owner = await edge.addPerson();
  const other = await edge.addPerson();
  const { webhook, secret } = await addWebhook(owner, hook);
  const { rows } = await edge.ctx.db.execute("SELECT * FROM webhook_endpoints");
  assert.ok(!JSON.stringify(rows).includes(secret.slice(6)));
  // A row that was moved to another account does not sign.
  await edge.ctx.db.execute({ sql: "UPDATE webhook_endpoints SET owner = ?, hears = ?1", args: [other.id] });
  await post(other, `/${webhook.id}/test`);
  await sendDueWebhooks(edge.ctx);
  assert.deepEqual(hook.calls, []);
  await edge.ctx.db.execute({ sql: "UPDATE webhook_endpoints SET owner = ?, hears = ?1", args: [owner.id] });
  const keys = await openWebhookKeys(["another key of forty-three characters, or so", TEST_APP_KEY]);
  assert.equal((await readOldWebhookSecrets(edge.ctx, keys)).length, 1);
  assert.equal(await sealWebhookSecretsAnew(edge.ctx, keys), 1);
  assert.equal(await sealWebhookSecretsAnew(edge.ctx, keys), 0);
});

Deno.test("an endpoint needs an address of the Internet, types of its role, and room in the account", async () => {
  await using edge = await openTestApp({
    webhooks: {
      allowed: [],
      resolve: (name) =>
        Promise.resolve(name === "ok.test" ? ["8.8.8.8"] : name === "in.test" ? ["10.0.0.1"] : []),
    },
  });
  const owner = await edge.addPerson();
  const admin = await edge.addPerson({ role: "admin" });
  const json = {
    name: "CRM 0501234567",
    url: "https://ok.test/x",
    types: ["campaign.completed"],
    proof: PROOF,
  };
  const refused = async (who: TestPerson, asked: object) =>
    (await post(who, "", { ...json, ...asked })).body.code;
  for (
    const url of [
      "http://in.test/",
      "https://no.test/",
      "http://127.0.0.1/",
      "https://ok.test:22/",
      "x",
      "ftp://ok.test/",
    ]
  ) {
    assert.equal(await refused(owner, { url }), "webhook_address", url);
  }
  assert.equal(await refused(owner, { types: ["site.lost"] }), "invalid_input");
  assert.equal(await refused(admin, { types: ["message.sent"] }), "invalid_input");
  assert.equal(await refused(owner, { proof: undefined }), "proof_needed");
  for (let no = 0; no < MAX_ENDPOINTS; no++) assert.equal((await post(owner, "", json)).status, 201);
  assert.equal(await refused(owner, {}), "too_many_webhooks");
  const { webhooks } = await (await owner.ask("/api/webhooks")).json();
  assert.ok(!webhooks[0].name.includes("0501234567"));
  const patch = (asked: object) =>
    owner.ask(`/api/webhooks/${webhooks[0].id}`, { method: "PATCH", json: { ...asked, proof: PROOF } });
  assert.equal((await (await patch({ url: "http://in.test/" })).json()).code, "webhook_address");
  const changed = await (await patch({ types: ["reply.received"], quotaBelow: 7 })).json();
  assert.deepEqual([changed.types, changed.quotaBelow, changed.url], [["reply.received"], 7, json.url]);
  // Nothing of the path, which may open something, is in the audit log or the log.
  const { rows } = await edge.ctx.db.execute("SELECT data FROM audit_log WHERE kind LIKE 'webhook%'");
  assert.ok(rows.length > MAX_ENDPOINTS && rows.every(({ data }) => !String(data).includes("/x")));
  assert.ok(!edge.logged.some((line) => line.includes("ok.test/x")));
});

Deno.test("a paused webhook gets nothing and loses nothing; a key manages webhooks without a password", async () => {
  await using edge = await openTestApp();
  await using hook = startHook();
  const owner = await edge.addPerson();
  const key = await edge.addKey(owner, { scopes: ["webhooks"] });
  const { webhook: { id } } = await addWebhook(key, hook);
  assert.equal((await post(key, `/${id}/pause`)).body.paused.why, "person");
  await edge.ctx.db.execute(noteWebhook(edge.ctx.now(), { client: owner.client, type: "campaign.started" }));
  assert.equal((await post(key, `/${id}/test`)).body.code, "webhook_paused");
  assert.equal(await sendDueWebhooks(edge.ctx), 0);
  assert.equal((await post(owner, `/${id}/resume`)).body.code, "proof_needed");
  assert.equal((await post(key, `/${id}/resume`)).status, 200);
  await sendAll(edge);
  assert.deepEqual(hook.calls.map(({ body }) => body.type), ["campaign.started"]);
  const { rows } = await edge.ctx.db.execute(
    "SELECT DISTINCT json_extract(data, '$.byKey') AS by FROM audit_log WHERE kind LIKE 'webhook%'",
  );
  assert.deepEqual(rows.map(({ by }) => by), [key.id]);
});

Deno.test("after a restore every webhook waits for its owner", async () => {
  await using edge = await openTestApp();
  await using hook = startHook();
  const owner = await edge.addPerson();
  const { webhook: { id } } = await addWebhook(owner, hook);
  await edge.ctx.db.execute(noteWebhook(edge.ctx.now(), { client: owner.client, type: "campaign.started" }));
  await beginAgain(edge.ctx);
  assert.equal(await sendDueWebhooks(edge.ctx), 0);
  const { rows: [row] } = await edge.ctx.db.execute({
    sql: "SELECT paused_why FROM webhook_endpoints WHERE id = ?",
    args: [id],
  });
  assert.equal(row!.paused_why, "restored");
});

Deno.test("each endpoint is told below how many messages it wants to know, once for each fall", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  await using early = startHook();
  await using late = startHook();
  const owner = await edge.addPerson({ messageQuota: 100 });
  await addWebhook(owner, early, { quotaBelow: 60 });
  await addWebhook(owner, late, { quotaBelow: 20 });
  for (const delta of [-30, -20, -20, -25, 60, -20]) {
    const json = { delta, reason: "תיקון של טעות" };
    const answer = await admin.ask(`/api/users/${owner.id}/quota/corrections`, { method: "POST", json });
    assert.ok(answer.ok, await answer.text());
  }
  await sendAll(edge);
  const told = (hook: typeof early) => hook.calls.map(({ body }) => body.data);
  assert.deepEqual(told(early), [{ messageQuota: 50, below: 60 }, { messageQuota: 45, below: 60 }]);
  assert.deepEqual(told(late), [{ messageQuota: 5, below: 20 }]);
});

Deno.test("administrators' webhooks hear of sites, accounts and alerts, and of nothing of a client", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  await using hook = startHook();
  await using clients = startHook();
  const owner = await edge.addPerson({ messageQuota: 5 });
  await addWebhook(owner, clients);
  const key = await edge.addKey(admin, { scopes: [...ADMIN_SCOPES] });
  const { secret } = await addWebhook(key, hook, { types: [...ADMIN_WEBHOOK_TYPES] });
  const site = await fleet.addSite();
  await watchSites(edge.ctx);
  await edge.ctx.db.execute({
    sql: "UPDATE accounts SET state = 'banned', updated_at = ?",
    args: [edge.ctx.now()],
  });
  await watchAlerts(edge.ctx);
  await edge.ctx.db.execute({
    sql: "UPDATE accounts SET state = 'ok', banned_at = NULL, updated_at = ?",
    args: [edge.ctx.now()],
  });
  edge.clock.now += 60_000;
  await watchSites(edge.ctx);
  await watchAlerts(edge.ctx);
  await sendAll(edge);
  hook.calls.forEach((call) => checkByStandard(call, secret));
  const ofSite = hook.calls.filter(({ body }) => !body.type.startsWith("alert.")).map(({ body }) =>
    body.type
  );
  assert.deepEqual(ofSite, [
    "site.created",
    "site.enrolled",
    "site.connected",
    "account.banned",
    "account.ok",
    "site.lost",
  ]);
  const alerts = hook.calls.filter(({ body }) => body.type.startsWith("alert."));
  const of = (type: string) =>
    alerts.filter(({ body }) => body.type === type).map(({ body }) => body.data.code);
  assert.ok(of("alert.raised").includes("account_banned") && of("alert.raised").includes("site_away"));
  assert.deepEqual(of("alert.ended"), ["account_banned"]);
  const { body: lost } = hook.calls.find(({ body }) => body.type === "site.lost")!;
  assert.deepEqual(lost.data, { siteId: site.site, name: "אתר 1" });
  assert.deepEqual(clients.calls, []);
});

Deno.test("a site that changes its accounts without end is told of 200 times an hour", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  await using hook = startHook();
  await addWebhook(admin, hook, { types: [...ADMIN_WEBHOOK_TYPES] });
  await fleet.addSite();
  const set = (state: string) => ({
    sql: "UPDATE accounts SET state = ?, updated_at = ?",
    args: [state, edge.ctx.now()],
  });
  for (let no = 0; no < 300; no++) await edge.ctx.db.batch([set("logged_out"), set("ok")], "write");
  const { rows: [row] } = await edge.ctx.db.execute(
    "SELECT count(*) AS count FROM webhook_log WHERE type LIKE 'account.%'",
  );
  assert.equal(Number(row!.count), 200);
});

Deno.test("accounts without a webhook leave no row behind", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const owner = await edge.addPerson({ messageQuota: 5 });
  const site = await fleet.addSite();
  await sendNew(fleet, 3, owner);
  await report(fleet, site, await take(fleet, site), "sent", { tappedAt: edge.clock.now });
  await watchAlerts(edge.ctx);
  const { rows: [row] } = await edge.ctx.db.execute("SELECT count(*) AS count FROM webhook_log");
  assert.equal(Number(row!.count), 0);
});
