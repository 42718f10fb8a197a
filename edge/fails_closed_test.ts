/** An internal failure becomes a refusal for the caller, and leaves nothing half done. */
import assert from "node:assert/strict";
import { addressOf, ROUTES } from "./testing/route_table.ts";
import { containsSecret, openSecretHouse } from "./testing/secret_house.ts";
import type { TestPerson } from "./testing/test_app.ts";

const FAILED = [500, "internal"];

async function ask(person: Pick<TestPerson, "ask">, method: string, path: string, json?: unknown) {
  const answer = await person.ask(path, { method, json });
  const body = await answer.text();
  return { body, refusal: [answer.status, answer.ok ? undefined : JSON.parse(body).code] };
}

Deno.test("every route that needs a login refuses everybody while sessions cannot be read", async () => {
  await using house = await openSecretHouse();
  const { edge, owner, campaign, delivery, importId } = house;
  const { db } = edge.ctx;
  const admin = await edge.addPerson({ role: "admin" });
  const before = await house.belongings();
  await db.execute("ALTER TABLE sessions RENAME TO lost_sessions");
  for (const [route, { access, json }] of Object.entries(ROUTES)) {
    if (!["user", "own", "admin"].includes(access)) continue;
    const [method] = route.split(" ");
    for (const person of [owner, admin]) {
      const path = addressOf(route, { id: campaign, delivery, importId });
      const { refusal, body } = await ask(person, method!, path, json);
      assert.deepEqual(refusal, FAILED, route);
      assert.ok(!containsSecret(body), route);
    }
  }
  await db.execute("ALTER TABLE lost_sessions RENAME TO sessions");
  assert.deepEqual(await house.belongings(), before);
  assert.equal((await owner.ask("/api/auth/me")).status, 200);
});

Deno.test("an act is not done when its audit line cannot be written", async () => {
  await using house = await openSecretHouse();
  const { edge, admin, owner, campaign } = house;
  const acts: [TestPerson, string, string, unknown?][] = [
    [owner, "PUT", "/api/profile", ROUTES["PUT /api/profile"]!.json],
    [owner, "POST", "/api/suppressions", { numbers: "0541234567" }],
    [owner, "POST", `/api/campaigns/${campaign}/send`],
    [owner, "POST", `/api/campaigns/${campaign}/pause`],
    [admin, "POST", `/api/campaigns/${campaign}/cancel`],
    [admin, "PATCH", `/api/users/${owner.id}/quota`, { messageQuota: 900 }],
    [admin, "PATCH", `/api/users/${owner.id}`, { disabled: true }],
  ];
  for (const [person, method, path, json] of acts) {
    const before = await house.belongings();
    await edge.ctx.db.execute(`CREATE TRIGGER audit_is_full BEFORE INSERT ON audit_log
      BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    assert.deepEqual((await ask(person, method, path, json)).refusal, FAILED, path);
    await edge.ctx.db.execute("DROP TRIGGER audit_is_full");
    assert.deepEqual(await house.belongings(), before, path);
    const { refusal: [status], body } = await ask(person, method, path, json);
    assert.ok(status === 200 || status === 204, `${path}: ${body}`);
  }
});
