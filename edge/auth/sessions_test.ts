import assert from "node:assert/strict";
import { turnOnSecondFactor } from "../testing/second_factor.ts";
import {
  cookiesOf,
  openTestApp,
  PROOF,
  TEST_PASSWORD,
  type TestApp,
  type TestPerson,
} from "../testing/test_app.ts";
import { endExpiredSessions, hashSessionId, SESSION_IDLE_MS, SESSION_MAX_MS } from "./sessions.ts";

const sessionIdOf = (cookie: string) => /shigur_session=([^;]+)/.exec(cookie)![1]!;

async function endedSessions(edge: TestApp): Promise<string[]> {
  const { rows } = await edge.ctx.db.execute(
    "SELECT data FROM events WHERE type = 'session_ended' ORDER BY id",
  );
  return rows.map((row) => JSON.parse(String(row.data)).sessionHash);
}

Deno.test("openSession() sets 256 bits in a cookie that scripts cannot read, and stores only their hash", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const answer = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: client.username, password: TEST_PASSWORD },
  });
  const [session, hint] = answer.headers.getSetCookie();
  assert.match(session!, /^shigur_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.match(hint!, /^shigur_hint=1; Max-Age=604800; Path=\/; SameSite=Lax$/);
  const id = sessionIdOf(session!);
  const { rows } = await edge.ctx.db.execute("SELECT id_hash FROM sessions");
  const hash = await hashSessionId(id);
  assert.ok(rows.some((row) => row.id_hash === hash));
  assert.ok(!JSON.stringify(rows).includes(id));
});

Deno.test("openSession() over https is __Host- and Secure", async () => {
  await using edge = await openTestApp({ publicUrl: new URL("https://shigur.example") });
  const client = await edge.addPerson();
  assert.match(client.cookie, /^__Host-shigur_session=[\w-]{43}; __Host-shigur_hint=1$/);
  assert.equal((await client.ask("/api/auth/me")).status, 200);
  const planted = client.cookie.replaceAll("__Host-", "");
  assert.equal((await edge.visitor.ask("/api/auth/me", { headers: { cookie: planted } })).status, 401);
});

Deno.test("findSession() ends a session 12 hours after its last use and 7 days after its start", async () => {
  await using edge = await openTestApp();
  const busy = await edge.addPerson();
  const idle = await edge.addPerson();
  const openedAt = edge.clock.now;
  edge.clock.now += SESSION_IDLE_MS - 1;
  assert.equal((await busy.ask("/api/auth/me")).status, 200);
  edge.clock.now += 1;
  assert.equal((await idle.ask("/api/auth/me")).status, 401);
  while (edge.clock.now < openedAt + SESSION_MAX_MS - SESSION_IDLE_MS / 2) {
    assert.equal((await busy.ask("/api/auth/me")).status, 200);
    edge.clock.now += SESSION_IDLE_MS / 2;
  }
  assert.equal((await busy.ask("/api/auth/me")).status, 200);
  edge.clock.now = openedAt + SESSION_MAX_MS;
  assert.equal((await busy.ask("/api/auth/me")).status, 401);
});

Deno.test("findSession() finds no session of a disabled user, by any way of disabling", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  await edge.ctx.db.execute("UPDATE users SET disabled = 1");
  assert.equal((await client.ask("/api/auth/me")).status, 401);
});

Deno.test("findSession() stores a use at most once a minute", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const seenAt = async () =>
    (await edge.ctx.db.execute("SELECT last_seen_at FROM sessions")).rows[0]!.last_seen_at;
  const openedAt = edge.clock.now;
  edge.clock.now += 59_999;
  await client.ask("/api/auth/me");
  assert.equal(await seenAt(), openedAt);
  edge.clock.now += 1;
  await client.ask("/api/auth/me");
  assert.equal(await seenAt(), edge.clock.now);
});

Deno.test("findSession() answers without waiting for another writer, and stores the use later", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  edge.clock.now += 60_000;
  const other = await edge.ctx.db.transaction("write");
  assert.equal((await client.ask("/api/auth/me")).status, 200);
  await other.commit();
  // Writes run in order of arrival, so this one is the last.
  await edge.ctx.db.execute("DELETE FROM events");
  const { rows } = await edge.ctx.db.execute("SELECT last_seen_at FROM sessions");
  assert.equal(rows[0]!.last_seen_at, edge.clock.now);
});

Deno.test("findSession() refuses a forged, altered or foreign cookie", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = sessionIdOf(client.cookie);
  const { rows: [row] } = await edge.ctx.db.execute("SELECT id_hash FROM sessions");
  const forged = [
    "",
    "1",
    "admin",
    id.slice(1),
    `${id}=`,
    id.toUpperCase(),
    String(row!.id_hash),
    "%00",
    "'%20OR%201=1--",
    "x".repeat(8000),
    "%E0%A4%A",
  ];
  for (const value of forged) {
    const { status } = await edge.visitor.ask("/api/auth/me", {
      headers: { cookie: `shigur_session=${value}` },
    });
    assert.equal(status, 401, value.slice(0, 60));
  }
  assert.equal((await client.ask("/api/auth/me")).status, 200);
});

Deno.test("endSession() at logout notifies every instance, and removes the cookies", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const hash = await hashSessionId(sessionIdOf(client.cookie));
  const answer = await client.ask("/api/auth/logout", { method: "POST" });
  assert.equal(answer.status, 204);
  for (const cookie of answer.headers.getSetCookie()) assert.match(cookie, /=; Max-Age=0; Path=\//);
  assert.deepEqual(await endedSessions(edge), [hash]);
  assert.equal((await client.ask("/api/auth/me")).status, 401);
  assert.equal((await client.ask("/api/auth/logout", { method: "POST" })).status, 204, "again");
  assert.equal((await endedSessions(edge)).length, 1);
});

Deno.test("login() with a present session ends the old one", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const answer = await client.ask("/api/auth/login", {
    method: "POST",
    json: { username: client.username, password: TEST_PASSWORD },
  });
  assert.notEqual(cookiesOf(answer), client.cookie);
  assert.deepEqual(await endedSessions(edge), [await hashSessionId(sessionIdOf(client.cookie))]);
  assert.equal((await client.ask("/api/auth/me")).status, 401);
});

Deno.test("endExpiredSessions() removes expired sessions and reports each once", async () => {
  await using edge = await openTestApp();
  const old = await edge.addPerson();
  edge.clock.now += SESSION_IDLE_MS;
  const fresh = await edge.addPerson();
  await endExpiredSessions(edge.ctx);
  await endExpiredSessions(edge.ctx);
  assert.deepEqual(await endedSessions(edge), [await hashSessionId(sessionIdOf(old.cookie))]);
  assert.equal((await fresh.ask("/api/auth/me")).status, 200);
});

/** Runs `act` once, right after the next password comparison and before its result is used. */
function meanwhile({ door: { passwords } }: TestApp, act: () => Promise<unknown>): void {
  const { verify } = passwords;
  passwords.verify = async (...args) => {
    passwords.verify = verify;
    const isRight = await verify(...args);
    await act();
    return isRight;
  };
}

const NEW_PASSWORD = "sisma-aruka-1";

Deno.test("openSession() refuses when the user changed while the password was compared", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const patch = (id: number, change: Record<string, unknown>) =>
    admin.ask(`/api/users/${id}`, { method: "PATCH", json: { proof: PROOF, ...change } }).then(({ status }) =>
      assert.equal(status, 200)
    );
  const acts: ((person: TestPerson) => Promise<unknown>)[] = [
    (person) => changePassword(person, NEW_PASSWORD).then(({ status }) => assert.equal(status, 204)),
    ({ id }) => patch(id, { password: NEW_PASSWORD }),
    ({ id }) => patch(id, { disabled: true }),
    (person) => turnOnSecondFactor(edge, person),
  ];
  for (const act of acts) {
    const person = await edge.addPerson();
    meanwhile(edge, () => act(person));
    const json = { username: person.username, password: TEST_PASSWORD };
    const answer = await edge.visitor.ask("/api/auth/login", { method: "POST", json });
    assert.deepEqual([answer.status, (await answer.json()).code], [401, "wrong_credentials"], String(act));
    assert.equal(cookiesOf(answer), "");
    const { rows } = await edge.ctx.db.execute({
      sql:
        "SELECT kind FROM audit_log WHERE (actor = ?1 AND kind = 'login') OR (user = ?1 AND kind = 'login_failed')",
      args: [person.id],
    });
    assert.deepEqual(rows.map(({ kind }) => kind), ["login", "login_failed"], "the first was their own");
  }
});

Deno.test("changePassword() does not replace a password that changed meanwhile", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const person = await edge.addPerson();
  meanwhile(
    edge,
    () =>
      admin.ask(`/api/users/${person.id}`, {
        method: "PATCH",
        json: { proof: PROOF, password: NEW_PASSWORD },
      }),
  );
  const answer = await changePassword(person, "of who stole the session");
  assert.deepEqual([answer.status, (await answer.json()).code], [401, "wrong_credentials"]);
  const json = { username: person.username, password: NEW_PASSWORD };
  assert.equal((await edge.visitor.ask("/api/auth/login", { method: "POST", json })).status, 200);
  const { rows } = await edge.ctx.db.execute("SELECT 1 FROM audit_log WHERE kind = 'password_changed'");
  assert.equal(rows.length, 0);
});

function changePassword(person: TestPerson, newPassword: string): Promise<Response> {
  const json = { currentPassword: TEST_PASSWORD, newPassword };
  return person.ask("/api/auth/password", { method: "POST", json });
}
