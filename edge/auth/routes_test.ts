import assert from "node:assert/strict";
import { createUser } from "../users/create_user.ts";
import { cookiesOf, openTestApp, TEST_PASSWORD } from "../testing/test_app.ts";
import { SESSION_IDLE_MS } from "./sessions.ts";

Deno.test("login() answers an unknown name, a wrong password and a disabled user alike", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  await admin.ask(`/api/users/${client.id}`, { method: "PATCH", json: { disabled: true } });
  const answers = await Promise.all([
    { username: "nobody", password: TEST_PASSWORD },
    { username: admin.username, password: "wrong password" },
    { username: client.username, password: TEST_PASSWORD },
  ].map((json) => edge.visitor.ask("/api/auth/login", { method: "POST", json })));
  const seen = await Promise.all(
    answers.map(async (answer) => [answer.status, await answer.text(), cookiesOf(answer)]),
  );
  assert.deepEqual(seen[0], [
    401,
    JSON.stringify({ error: "שם משתמש או סיסמה שגויים", code: "wrong_credentials" }),
    "",
  ]);
  assert.deepEqual(seen[1], seen[0]);
  assert.deepEqual(seen[2], seen[0]);
});

Deno.test("login() recognises a name in any case and form, with direction marks around it", async () => {
  await using edge = await openTestApp();
  await edge.addPerson({ username: "משק Hadar" });
  for (
    const username of [
      "משק hadar",
      " משק ＨＡＤＡＲ",
      "\u200fמשק\u200f Hadar\u200e",
      "\u2067משק Hadar\u2069 ",
    ]
  ) {
    const answer = await edge.visitor.ask("/api/auth/login", {
      method: "POST",
      json: { username, password: TEST_PASSWORD },
    });
    assert.equal(answer.status, 200, JSON.stringify(username));
  }
});

Deno.test("login() accepts any possible password, and refuses an invalid body", async () => {
  await using edge = await openTestApp();
  const password = "  סיסמה עם \u0000 ו־🎺 ";
  await createUser(edge.ctx, edge.door.passwords, { username: "דנה כהן", password, role: "client" });
  const logIn = (json: unknown) => edge.visitor.ask("/api/auth/login", { method: "POST", json });
  assert.equal((await logIn({ username: "דנה כהן", password })).status, 200);
  assert.equal((await logIn({ username: "דנה כהן", password: password.trim() })).status, 401);
  const broken = [
    null,
    [],
    "x",
    5,
    {},
    { username: "x" },
    { username: 1, password: 2 },
    {
      username: { $ne: "" },
      password: { $ne: "" },
    },
    { username: "x".repeat(65), password: "x" },
    { username: "x", password: "x".repeat(201) },
  ];
  for (const json of broken) assert.equal((await logIn(json)).status, 400, JSON.stringify(json).slice(0, 60));
});

Deno.test("changePassword() requires the present password, ends other sessions, and gives this one a new id", async () => {
  await using edge = await openTestApp();
  const here = await edge.addPerson();
  const there = cookiesOf(
    await edge.visitor.ask("/api/auth/login", {
      method: "POST",
      json: { username: here.username, password: TEST_PASSWORD },
    }),
  );
  const change = (currentPassword: string, newPassword: string) =>
    here.ask("/api/auth/password", { method: "POST", json: { currentPassword, newPassword } });
  assert.equal((await change("wrong password", "a new password")).status, 401);
  assert.equal((await change(TEST_PASSWORD, "short")).status, 400);
  const changed = await change(TEST_PASSWORD, "a new password");
  assert.equal(changed.status, 204);
  const me = async (cookie: string) =>
    (await edge.visitor.ask("/api/auth/me", { headers: { cookie } })).status;
  assert.notEqual(cookiesOf(changed), here.cookie);
  assert.deepEqual([await me(cookiesOf(changed)), await me(here.cookie), await me(there)], [200, 401, 401]);
  const logIn = (password: string) =>
    edge.visitor.ask("/api/auth/login", { method: "POST", json: { username: here.username, password } });
  assert.equal((await logIn(TEST_PASSWORD)).status, 401);
  assert.equal((await logIn("a new password")).status, 200);
});

Deno.test("GET and DELETE /api/auth/sessions show a person's own sessions and end the others by the password", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const stranger = await edge.addPerson();
  await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: client.username, password: TEST_PASSWORD },
    headers: { "user-agent": "Phone" },
  });
  const list = async () => await (await client.ask("/api/auth/sessions")).json();
  const before = await list();
  assert.equal(before.length, 2);
  assert.deepEqual(before.map((one: { isThis: boolean }) => one.isThis).sort(), [false, true]);
  assert.ok(before.some((one: { userAgent: string }) => one.userAgent === "Phone"));
  assert.ok(!JSON.stringify(before).match(/[0-9a-f]{64}/), "no session's hash is shown");
  const end = (json?: unknown) => client.ask("/api/auth/sessions", { method: "DELETE", json });
  assert.equal((await end()).status, 400);
  const wrong = await end({ password: "wrong password" });
  assert.deepEqual([wrong.status, (await wrong.json()).error], [401, "הסיסמה הנוכחית שגויה."]);
  assert.equal((await list()).length, 2, "nothing ended");
  const ended = await end({ password: TEST_PASSWORD });
  assert.equal(ended.status, 204);
  assert.equal((await client.ask("/api/auth/me")).status, 401, "this one goes on under another id");
  const headers = { cookie: cookiesOf(ended) };
  const after = await (await edge.visitor.ask("/api/auth/sessions", { headers })).json();
  assert.deepEqual(after.map((one: { isThis: boolean }) => one.isThis), [true]);
  assert.equal((await stranger.ask("/api/auth/me")).status, 200);
});

Deno.test("GET /api/auth/sessions shows no ended session, and at most 300 characters of a browser's name", async () => {
  await using edge = await openTestApp();
  const { username } = await edge.addPerson();
  edge.clock.now += SESSION_IDLE_MS;
  const answer = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username, password: TEST_PASSWORD },
    headers: { "user-agent": "x".repeat(301) },
  });
  const headers = { cookie: cookiesOf(answer) };
  const shown = await (await edge.visitor.ask("/api/auth/sessions", { headers })).json();
  assert.deepEqual(shown.map((one: { userAgent: string }) => one.userAgent), ["x".repeat(300)]);
});
