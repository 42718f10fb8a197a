/** Every call of the document, asked by everybody: who may, who may not, and that nothing leaks to the others. */
import assert from "node:assert/strict";
import { createSite } from "./agents/create_site.ts";
import { serve } from "./http/serve.ts";
import { FakeSite } from "./testing/fake_agent.ts";
import { openTestApp, type TestApp, type TestPerson } from "./testing/test_app.ts";

/**
 * public: anybody. user: whoever is logged in. own: the owner of {id}, and administrators; to others it doesn't
 * exist. admin: administrators.
 */
type Access = "public" | "user" | "own" | "admin";

interface Call {
  access: Access;
  json?: unknown;
}

const CALLS: Record<string, Call> = {
  "POST /api/auth/login": { access: "public", json: { username: "nobody", password: "12345678" } },
  "POST /api/auth/logout": { access: "public" },
  "GET /api/auth/me": { access: "user" },
  "POST /api/auth/password": {
    access: "user",
    json: { currentPassword: "wrong password", newPassword: "12345678" },
  },
  "GET /api/auth/sessions": { access: "user" },
  "DELETE /api/auth/sessions": { access: "user" },
  "GET /api/users": { access: "admin" },
  "POST /api/users": { access: "admin", json: { username: "x", password: "12345678" } },
  "PATCH /api/users/{id}": { access: "admin", json: {} },
  "PATCH /api/users/{id}/quota": { access: "admin", json: { messageQuota: 1 } },
  "GET /api/users/{id}/ledger": { access: "own" },
  "GET /api/campaigns": { access: "user" },
  "POST /api/campaigns": { access: "user" },
  "GET /api/campaigns/{id}": { access: "own" },
  "PATCH /api/campaigns/{id}": { access: "own", json: { name: "stolen" } },
  "DELETE /api/campaigns/{id}": { access: "own" },
  "POST /api/campaigns/{id}/contacts": { access: "own" },
  "DELETE /api/campaigns/{id}/contacts": { access: "own" },
  "POST /api/campaigns/{id}/contacts/manual": { access: "own", json: { numbers: "0501234567" } },
  "GET /api/campaigns/{id}/image": { access: "own" },
  "POST /api/campaigns/{id}/send": { access: "own" },
  "POST /api/campaigns/{id}/pause": { access: "own" },
  "POST /api/campaigns/{id}/resume": { access: "own" },
  "POST /api/campaigns/{id}/cancel": { access: "own" },
  "GET /api/campaigns/{id}/deliveries": { access: "own" },
  "GET /api/campaigns/{id}/deliveries.csv": { access: "own" },
  "POST /api/campaigns/{id}/deliveries/resolve": { access: "own", json: { ids: "all", as: "failed" } },
  "POST /api/campaigns/{id}/duplicate": { access: "own", json: { contacts: "none" } },
  "GET /api/devices/adb-status": { access: "admin" },
  "POST /api/admin/queues/clear": { access: "admin" },
  "POST /api/agent/enroll": {
    access: "public",
    json: { joinToken: "x".repeat(43), publicKey: "x".repeat(43) },
  },
};

interface Answer {
  status: number;
  body: string;
}

/** A client with a campaign, another client, and an administrator. */
async function openHouse(edge: TestApp) {
  const owner = await edge.addPerson({ messageQuota: 5 });
  const other = await edge.addPerson({ messageQuota: 5 });
  const admin = await edge.addPerson({ role: "admin" });
  const form = new FormData();
  form.set("name", "סוד של הבעלים");
  form.set("message", "הודעה");
  const made = await owner.ask("/api/campaigns", { method: "POST", body: form });
  return { owner, other, admin, campaign: Number((await made.json()).id) };
}

async function ask(
  person: Pick<TestPerson, "ask">,
  call: string,
  id: number,
  cookie?: string,
): Promise<Answer> {
  const [method, path] = call.split(" ") as [string, string];
  const json = CALLS[call]!.json;
  const headers = cookie === undefined ? undefined : { cookie };
  const answer = await person.ask(path.replace("{id}", String(id)), { method, json, headers });
  return { status: answer.status, body: await answer.text() };
}

const codeOf = ({ body }: Answer): unknown => body.startsWith("{") ? JSON.parse(body).code : undefined;

Deno.test("the table above names every call of the document, and no other", async () => {
  await using edge = await openTestApp();
  const { paths } = await (await edge.visitor.ask("/api/openapi.json")).json();
  const documented = Object.entries<Record<string, unknown>>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  );
  assert.deepEqual(documented.sort(), Object.keys(CALLS).sort());
});

for (const [call, { access }] of Object.entries(CALLS)) {
  Deno.test(`${call} is for ${access}`, async () => {
    await using edge = await openTestApp();
    const { owner, other, admin, campaign } = await openHouse(edge);
    const id = call.includes("/users/") ? owner.id : campaign;
    const forged = `shigur_session=${"A".repeat(43)}`;

    for (
      const [who, answer] of [
        ["a visitor", await ask(edge.visitor, call, id)],
        ["a forged session", await ask(edge.visitor, call, id, forged)],
      ] as const
    ) {
      if (access === "public") assert.notEqual(codeOf(answer), "not_logged_in", who);
      else assert.deepEqual([answer.status, codeOf(answer)], [401, "not_logged_in"], who);
    }

    const stranger = await ask(other, call, id);
    if (access === "admin") assert.deepEqual([stranger.status, codeOf(stranger)], [403, "not_allowed"]);
    if (access === "own") {
      assert.deepEqual([stranger.status, codeOf(stranger)], [404, "not_found"]);
      assert.deepEqual(stranger, await ask(other, call, 999_999), "as if it did not exist");
    }
    assert.ok(!stranger.body.includes("סוד של הבעלים"));

    if (access === "admin") assert.ok(![401, 403].includes((await ask(admin, call, id)).status));
    else assert.ok(![401, 403].includes((await ask(owner, call, id)).status) || call.includes("/auth/"));
    if (access === "own" && call.startsWith("GET") && !call.endsWith("/image")) {
      assert.equal((await ask(admin, call, id)).status, 200);
    }
  });
}

Deno.test("an agent's token opens no call of people, and a session none of the agents'", async () => {
  await using edge = await openTestApp();
  const { admin, campaign } = await openHouse(edge);
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  try {
    const { joinToken } = await createSite(edge.ctx, "חיפה");
    const site = await FakeSite.enroll(listener.url, joinToken, edge.ctx.now);
    const bearer = { authorization: `Bearer ${await site.sign()}` };
    for (const [call, { access, json }] of Object.entries(CALLS)) {
      if (access === "public") continue;
      const [method, path] = call.split(" ") as [string, string];
      const answer = await edge.visitor.ask(path.replace("{id}", String(campaign)), {
        method,
        json,
        headers: bearer,
      });
      assert.equal(answer.status, 401, call);
    }
    for (const path of ["/agent/ws", `/agent/images/${"0".repeat(64)}`]) {
      assert.equal((await admin.ask(path)).status, 401, path);
      assert.equal(
        (await edge.visitor.ask(path, { headers: bearer })).status === 401,
        false,
        "the token itself is good",
      );
      bearer.authorization = `Bearer ${await site.sign()}`;
    }
  } finally {
    await listener.stop(1_000);
  }
});
