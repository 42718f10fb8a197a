import assert from "node:assert/strict";
import { openTestApp, TEST_PASSWORD } from "./testing/test_app.ts";

Deno.test("createApp() lets a person log in, says who they are, and forgets them at logout", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 7 });
  const me = await client.ask("/api/auth/me");
  assert.equal(me.status, 200);
  const { createdAt: _, ...user } = await me.json();
  assert.deepEqual(user, {
    id: client.id,
    username: client.username,
    role: "client",
    messageQuota: 7,
    disabled: false,
  });

  const wrong = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: client.username, password: `${TEST_PASSWORD}!` },
  });
  assert.equal(wrong.status, 401);
  assert.deepEqual(await wrong.json(), { error: "שם משתמש או סיסמה שגויים", code: "wrong_credentials" });

  assert.equal((await client.ask("/api/auth/logout", { method: "POST" })).status, 204);
  assert.equal((await client.ask("/api/auth/me")).status, 401);
});
