/** Every call, made by every kind of key: what each scope opens, what no key opens, and that ended keys open nothing. */
import assert from "node:assert/strict";
import { ADMIN_SCOPES, CLIENT_SCOPES, KEY_SCOPES, type KeyScope } from "shared/api_key.ts";
import { KEY_CALLS } from "./auth/key_calls.ts";
import { makeKeyText } from "./auth/key_text.ts";
import { addressOf, ROUTES } from "./testing/route_table.ts";
import { containsSecret, openSecretHouse, type SecretHouse } from "./testing/secret_house.ts";
import { type TestKey, type TestPerson } from "./testing/test_app.ts";

/** Calls of logged-in people alone. */
const NEVER = [
  // Logins, and what belongs to a session.
  "POST /api/auth/login",
  "POST /api/auth/logout",
  "POST /api/auth/password",
  "GET /api/auth/sessions",
  "DELETE /api/auth/sessions",
  "GET /api/auth/second-factor",
  "POST /api/auth/second-factor",
  "POST /api/auth/second-factor/confirm",
  "POST /api/auth/second-factor/codes",
  "DELETE /api/auth/second-factor",
  "GET /ws",
  // People, passwords and keys.
  "POST /api/users",
  "PATCH /api/users/:id",
  "GET /api/people",
  "PATCH /api/people/:id",
  "POST /api/people/:id/confirm",
  "DELETE /api/people/:id",
  "POST /api/invitations",
  "DELETE /api/invitations/:id",
  "POST /api/join",
  "POST /api/join/look",
  "GET /api/admin/users/:id/people",
  "GET /api/keys",
  "POST /api/keys",
  "DELETE /api/keys/:id",
  "POST /api/keys/:id/confirm",
  // Removals taken back, and who the advertiser is.
  "DELETE /api/suppressions",
  "POST /api/admin/opt-outs/search",
  "DELETE /api/admin/opt-outs/:id",
  "PUT /api/profile",
  // Recipients with a link, who have no login.
  "GET /api/removals/:token",
  "POST /api/removals/:token",
  // Erasures, numbers in the clear, screens of phones.
  "GET /api/admin/erasures",
  "POST /api/admin/erasures",
  "POST /api/admin/erasures/effect",
  "GET /api/admin/erasures/:id",
  "POST /api/admin/campaigns/:id/numbers",
  "DELETE /api/admin/campaigns/:id/numbers",
  "POST /api/admin/lists/:id/numbers",
  "DELETE /api/admin/lists/:id/numbers",
  "GET /api/admin/files/:id/rejected.csv",
  "POST /api/admin/looks",
  "POST /api/admin/looks/:id/still",
  "DELETE /api/admin/looks/:id",
  // Waivers, settings, sites, and whose phone it is.
  "POST /api/admin/campaigns/:id/hours-waiver",
  "DELETE /api/admin/campaigns/:id/hours-waiver",
  "GET /api/admin/settings",
  "PUT /api/admin/settings",
  "GET /api/admin/alerts/outside",
  "PUT /api/admin/alerts/outside",
  "POST /api/admin/alerts/test",
  "POST /api/admin/audit/check",
  "POST /api/admin/sites",
  "POST /api/admin/sites/:id/token",
  "POST /api/admin/sites/:id/revoke",
  "POST /api/admin/sites/:id/start",
  "POST /api/admin/sites/:id/write-off",
  "POST /api/admin/sites/:id/rehearsals",
  "PATCH /api/admin/accounts/:id",
  "POST /api/agent/enroll",
];
/** The calls with a caller; the others have no door for keys. */
const CALLS = Object.keys(ROUTES).filter((route) => / \/(api\/|ws$)/.test(route));

type Asker = Pick<TestPerson, "ask">;

function asking(house: SecretHouse) {
  const { owner, people, invitation, key, campaign, delivery, importId, list, contact, message } = house;
  return async (who: Asker, route: string) => {
    const id = route.includes("/users/")
      ? owner.id
      : route.includes("/people/")
      ? people.writer.id
      : route.includes("/invitations/")
      ? invitation
      : route.includes("/keys/")
      ? key.id
      : route.includes("/messages/")
      ? message
      : /\/api\/(admin\/)?lists\//.test(route)
      ? list
      : campaign;
    const method = route.slice(0, route.indexOf(" "));
    const { json } = ROUTES[route]!;
    const answer = await who.ask(addressOf(route, { id, delivery, importId, contact }), { method, json });
    const body = await answer.text();
    const isError = answer.status >= 400 && body.startsWith("{");
    return { answer: [answer.status, isError ? JSON.parse(body).code : undefined], body };
  };
}

Deno.test("each call is open to some scope, or is named here as no key's", () => {
  const open = Object.keys(KEY_CALLS);
  assert.deepEqual([...open, ...NEVER].sort(), [...CALLS].sort());
  for (const scope of KEY_SCOPES) {
    // Its calls are of later days.
    const isLater = scope === "webhooks";
    const opens = open.some((call) => KEY_CALLS[call]!.includes(scope));
    assert.equal(opens, !isLater, scope);
  }
});

Deno.test("a key that was revoked, has expired or never was opens no call, and one of another opens no row", async (t) => {
  await using house = await openSecretHouse();
  const { edge, owner, other, admin } = house;
  const adminScopes = { scopes: [...ADMIN_SCOPES] };
  const [revoked, adminsRevoked] = [await edge.addKey(owner), await edge.addKey(admin, adminScopes)];
  for (const [who, { id }] of [[owner, revoked], [admin, adminsRevoked]] as const) {
    assert.equal((await who.ask(`/api/keys/${id}`, { method: "DELETE" })).status, 204);
  }
  const expired = await edge.addKey(owner, { expiresAt: edge.clock.now + 1 });
  edge.clock.now += 1;
  const unknown = edge.knownKey({ id: 0, secret: makeKeyText(edge.ctx, "live") });
  const foreign = await edge.addKey(other);
  const before = await house.belongings();
  const ask = asking(house);
  for (const route of CALLS) {
    await t.step(route, async () => {
      for (const key of [revoked, adminsRevoked, expired, unknown]) {
        assert.deepEqual((await ask(key, route)).answer, [401, "key_invalid"]);
      }
      assert.ok(!containsSecret((await ask(foreign, route)).body), "another client's key");
      assert.deepEqual(await house.belongings(), before);
    });
  }
});

Deno.test("a key without the scope of a call gets key_scope, and for a call of people not_by_key", async (t) => {
  await using house = await openSecretHouse();
  const { edge, owner, admin } = house;
  const keys = new Map<KeyScope, TestKey>();
  for (const scope of KEY_SCOPES) {
    const by = scope.startsWith("admin:") ? admin : owner;
    keys.set(scope, await edge.addKey(by, { scopes: [scope] }));
  }
  const before = await house.belongings();
  const ask = asking(house);
  for (const route of CALLS) {
    await t.step(route, async () => {
      const open = KEY_CALLS[route];
      for (const [scope, key] of keys) {
        if (open === "any" || open?.includes(scope)) continue;
        const refused = open === undefined ? "not_by_key" : "key_scope";
        assert.deepEqual((await ask(key, route)).answer, [403, refused], scope);
      }
      assert.deepEqual(await house.belongings(), before);
    });
  }
});

for (const [route, open] of Object.entries(KEY_CALLS)) {
  const scopes = open === "any" ? ["campaigns:read", "admin:read"] as const : open;
  for (const scope of scopes) {
    Deno.test(`${route} by a key with ${scope} alone is as by its owner`, async () => {
      await using house = await openSecretHouse();
      const by = scope.startsWith("admin:") ? "admin" : "owner";
      const key = await house.edge.addKey(house[by], { scopes: [scope] });
      const { answer } = await asking(house)(key, route);
      await using another = await openSecretHouse();
      const owners = await asking(another)(another[by], route);
      assert.deepEqual(answer, owners.answer);
      assert.ok(![401, 403].includes(answer[0]), String(answer));
    });
  }
  if (scopes.every((scope) => scope.startsWith("admin:"))) continue;
  Deno.test(`${route} by a test key changes nothing but a draft and messages that reach no phone`, async () => {
    await using house = await openSecretHouse();
    const key = await house.edge.addKey(house.owner, { mode: "test", scopes: [...CLIENT_SCOPES] });
    const kept = async () => {
      const tables = [
        "quota_ledger",
        "suppressions",
        "replies",
        "advertisers",
        "lists",
        "list_members",
        "contacts",
      ];
      const rows = tables.map((table) => house.edge.ctx.db.execute(`SELECT * FROM ${table}`));
      const sent = await house.edge.ctx.db.execute(
        "SELECT id, status, queued_count, reserved FROM campaigns WHERE status NOT IN ('draft', 'ready')",
      );
      return [...(await Promise.all(rows)), sent].map(({ rows }) => rows.map((row) => ({ ...row })));
    };
    const before = await kept();
    const { answer } = await asking(house)(key, route);
    assert.deepEqual(await kept(), before);
    const isRead = route.startsWith("GET ") || /^POST .*\/(search|rows)$/.test(route);
    const isDraft = open !== "any" &&
      ["campaigns:write", "contacts", "messages:send"].some((scope) => open.includes(scope as KeyScope)) &&
      !route.includes(" /api/lists");
    if (!isRead && !isDraft) assert.deepEqual(answer, [403, "test_key"]);
    else assert.ok(![401, 403].includes(Number(answer[0])), String(answer));
  });
}
