import assert from "node:assert/strict";
import type { AuditRow } from "shared/audit.ts";
import { MAX_TRIES } from "../auth/login_throttle.ts";
import { TEST_APP_KEY } from "../testing/audit_parts.ts";
import { turnOnSecondFactor } from "../testing/second_factor.ts";
import { cookiesOf, openTestApp, TEST_PASSWORD, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { openFactorKeys, sealSecretsAnew } from "../auth/sealed_secret.ts";

const PATH = "/api/auth/second-factor";
const HALF_MINUTE_MS = 30_000;

/** Returns status and code of a refusal, only the status of a success. */
async function codeOf(answer: Response): Promise<unknown[]> {
  return answer.ok ? [answer.status] : [answer.status, (await answer.json()).code];
}

function logIn(edge: TestApp, username: string, code?: string, password = TEST_PASSWORD) {
  return edge.visitor.ask("/api/auth/login", { method: "POST", json: { username, password, code } });
}

const standing = async (person: TestPerson) => await (await person.ask(PATH)).json();
const me = async (edge: TestApp, cookie: string) =>
  (await edge.visitor.ask("/api/auth/me", { headers: { cookie } })).status;

async function audited(edge: TestApp): Promise<string[]> {
  const other = await edge.addPerson({ role: "admin" });
  const { items } = await (await other.ask("/api/admin/audit?group=logins")).json();
  return items.map(({ kind, actorName }: AuditRow) => `${actorName} ${kind}`).reverse();
}

Deno.test("the second factor is required after a first code confirmed it, and ends the other sessions", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const { username } = person;
  const there = cookiesOf(await logIn(edge, username));
  const begin = (password: string) => person.ask(PATH, { method: "POST", json: { password } });
  assert.deepEqual(await codeOf(await begin("wrong password")), [401, "wrong_credentials"]);
  const abandoned = await (await begin(TEST_PASSWORD)).json();
  assert.equal((await logIn(edge, username)).status, 200, "what is only begun is asked of nobody");
  assert.deepEqual(await standing(person), { since: null, recoveryCodes: 0 });
  const before = person.cookie;

  const app = await turnOnSecondFactor(edge, person);
  assert.notEqual(app.secret, abandoned.secret);
  assert.deepEqual([await me(edge, person.cookie), await me(edge, before), await me(edge, there)], [
    200,
    401,
    401,
  ]);
  assert.deepEqual(await standing(person), { since: edge.clock.now, recoveryCodes: 10 });
  assert.equal((await (await person.ask("/api/auth/me")).json()).secondFactor, true);
  assert.equal(new Set(app.recoveryCodes).size, 10);
  for (const code of app.recoveryCodes) assert.match(code, /^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);

  const needed = await logIn(edge, username);
  assert.equal(cookiesOf(needed), "", "no session before the factor");
  assert.deepEqual(await codeOf(needed), [401, "second_factor_needed"]);
  assert.deepEqual(await codeOf(await logIn(edge, username, app.code(1))), [200]);
  assert.deepEqual(await codeOf(await begin(TEST_PASSWORD)), [409, "second_factor_state"], "it stays");
  const again = await person.ask(`${PATH}/confirm`, { method: "POST", json: { code: app.code(1) } });
  assert.deepEqual(await codeOf(again), [409, "second_factor_state"]);
});

Deno.test("a code is valid once, in its half minute and the ones beside it", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const app = await turnOnSecondFactor(edge, person);
  const used = app.code();
  const tryCode = async (code: string) => (await codeOf(await logIn(edge, person.username, code)))[0];
  assert.equal(await tryCode(used), 401, "it confirmed the factor");
  assert.equal(await tryCode(app.code(-1)), 401, "nor one from before");
  edge.clock.now += 10 * HALF_MINUTE_MS;
  assert.equal(await tryCode(app.code(-2)), 401);
  assert.equal(await tryCode(app.code(2)), 401);
  const code = app.code();
  const answers = await Promise.all(Array.from({ length: 5 }, () => tryCode(code)));
  assert.deepEqual(answers.sort(), [200, 401, 401, 401, 401], "asked at once it opens once");
  edge.clock.now += HALF_MINUTE_MS;
  assert.equal(await tryCode(` ${app.code().replace(/^.../, "$& ")}\u200f`), 200, "however it was pasted");
});

Deno.test("a recovery code works once in place of a code, and new ones replace all", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const stranger = await edge.addPerson();
  const { recoveryCodes } = await turnOnSecondFactor(edge, person);
  const theirs = (await turnOnSecondFactor(edge, stranger)).recoveryCodes;
  const tryCode = async (code: string) => (await codeOf(await logIn(edge, person.username, code)))[0];
  assert.equal(await tryCode(theirs[0]!), 401, "another's");
  assert.equal(await tryCode(recoveryCodes[0]!), 200);
  assert.equal(await tryCode(recoveryCodes[0]!), 401);
  assert.equal(await tryCode(recoveryCodes[1]!.toLowerCase().replaceAll("-", " ")), 200);
  assert.deepEqual((await standing(person)).recoveryCodes, 8);

  const renew = (code: string, password = TEST_PASSWORD) =>
    person.ask(`${PATH}/codes`, { method: "POST", json: { password, code } });
  assert.deepEqual(await codeOf(await renew(recoveryCodes[2]!, "wrong password")), [
    401,
    "wrong_credentials",
  ]);
  assert.deepEqual(await codeOf(await renew(recoveryCodes[1]!)), [401, "wrong_code"]);
  const renewed = await (await renew(recoveryCodes[2]!)).json();
  assert.equal(await tryCode(recoveryCodes[3]!), 401, "of those before none is left");
  assert.equal(await tryCode(renewed.recoveryCodes[0]), 200);
  const { rows } = await edge.ctx.db.execute("SELECT * FROM recovery_codes, second_factors");
  const kept = JSON.stringify(rows);
  for (const code of [...recoveryCodes, ...renewed.recoveryCodes]) {
    assert.ok(!kept.includes(code) && !kept.includes(code.replaceAll("-", "")), "hashes alone are kept");
  }
});

Deno.test("turning off the second factor requires both factors, and ends the other sessions", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const app = await turnOnSecondFactor(edge, person);
  const there = cookiesOf(await logIn(edge, person.username, app.code(1)));
  edge.clock.now += 5 * HALF_MINUTE_MS;
  const off = (password: string, code: string) =>
    person.ask(PATH, { method: "DELETE", json: { password, code } });
  assert.deepEqual(await codeOf(await off("wrong password", app.code())), [401, "wrong_credentials"]);
  assert.deepEqual(await codeOf(await off(TEST_PASSWORD, "000000")), [401, "wrong_code"]);
  assert.deepEqual(await standing(person), {
    since: edge.clock.now - 5 * HALF_MINUTE_MS,
    recoveryCodes: 10,
  });
  const done = await off(TEST_PASSWORD, app.code());
  assert.equal(done.status, 204);
  assert.deepEqual([await me(edge, cookiesOf(done)), await me(edge, person.cookie), await me(edge, there)], [
    200,
    401,
    401,
  ]);
  assert.equal((await logIn(edge, person.username)).status, 200);
  const { rows } = await edge.ctx.db.execute(
    "SELECT user FROM recovery_codes UNION ALL SELECT user FROM second_factors",
  );
  assert.equal(rows.length, 0);
});

Deno.test("wrong codes count like wrong passwords, and the password alone clears none", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const app = await turnOnSecondFactor(edge, person);
  edge.clock.now += 5 * HALF_MINUTE_MS;
  const change = { currentPassword: TEST_PASSWORD, newPassword: TEST_PASSWORD };
  for (let tries = 0; tries < MAX_TRIES.pair; tries++) {
    assert.deepEqual(await codeOf(await logIn(edge, person.username, "000000")), [401, "wrong_code"]);
    if (tries === 3) {
      const changed = await person.ask("/api/auth/password", { method: "POST", json: change });
      assert.equal(changed.status, 204);
      person.cookie = cookiesOf(changed);
    }
    if (tries < MAX_TRIES.pair - 1) {
      assert.deepEqual(await codeOf(await logIn(edge, person.username)), [401, "second_factor_needed"]);
    }
  }
  assert.deepEqual(await codeOf(await logIn(edge, person.username, app.code())), [429, "too_many_attempts"]);
  const off = { method: "DELETE", json: { password: TEST_PASSWORD, code: app.code() } };
  assert.equal(
    (await edge.visitor.ask(PATH, { ...off, headers: { cookie: person.cookie } })).status,
    429,
    "the same tries",
  );
});

Deno.test("guesses of a first code are limited like guesses of a password", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  assert.equal((await person.ask(PATH, { method: "POST", json: { password: TEST_PASSWORD } })).status, 200);
  const confirm = async () =>
    (await person.ask(`${PATH}/confirm`, { method: "POST", json: { code: "no code" } })).status;
  for (let tries = 0; tries < MAX_TRIES.pair; tries++) assert.equal(await confirm(), 401);
  assert.equal(await confirm(), 429);
});

Deno.test("a login with both factors clears earlier wrong codes", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const app = await turnOnSecondFactor(edge, person);
  for (let tries = 1; tries < MAX_TRIES.pair; tries++) await logIn(edge, person.username, "000000");
  assert.equal((await logIn(edge, person.username, app.code(1))).status, 200);
  assert.deepEqual(await codeOf(await logIn(edge, person.username, "000000")), [401, "wrong_code"]);
});

Deno.test("an administrator removes another's lost second factor, never their own; a new password keeps the factor", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const person = await edge.addPerson();
  const app = await turnOnSecondFactor(edge, person);
  const { recoveryCodes } = await turnOnSecondFactor(edge, admin);
  const proof = () => ({ password: TEST_PASSWORD, code: recoveryCodes.pop() });
  const remove = (id: number, secondFactor: unknown = false) =>
    admin.ask(`/api/users/${id}`, { method: "PATCH", json: { proof: proof(), secondFactor } });
  assert.equal((await remove(person.id, true)).status, 400);
  assert.deepEqual(await codeOf(await remove(admin.id)), [400, "invalid_input"]);
  assert.equal((await standing(admin)).recoveryCodes, 9);

  const newPassword = { method: "PATCH", json: { proof: proof(), password: "a new password" } };
  assert.equal((await admin.ask(`/api/users/${person.id}`, newPassword)).status, 200);
  const needed = await logIn(edge, person.username, undefined, "a new password");
  assert.deepEqual(await codeOf(needed), [401, "second_factor_needed"], "a new password is no way around it");
  const there = cookiesOf(await logIn(edge, person.username, app.code(1), "a new password"));
  assert.equal(await me(edge, there), 200);
  const removed = await remove(person.id);
  assert.deepEqual([removed.status, (await removed.json()).secondFactor], [200, false]);
  assert.equal(await me(edge, there), 401, "their sessions are over");
  assert.equal((await logIn(edge, person.username, undefined, "a new password")).status, 200);
  assert.equal((await remove(person.id)).status, 200);
  const { items } = await (await admin.ask("/api/admin/audit?kind=second_factor_removed")).json();
  assert.deepEqual(items.map(({ text }: AuditRow) => text), [
    `האימות הדו־שלבי של ${person.username} הוסר`,
  ], "once, and not where there was none");
});

Deno.test("every change of a second factor is audited, and no line holds a secret", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const { username } = person;
  const app = await turnOnSecondFactor(edge, person);
  await logIn(edge, username, "123456");
  await logIn(edge, username, app.recoveryCodes[0]);
  const proof = (code: string) => ({ password: TEST_PASSWORD, code });
  await person.ask(`${PATH}/codes`, { method: "POST", json: proof(app.recoveryCodes[1]!) });
  await person.ask(PATH, { method: "DELETE", json: proof(app.code(1)) });
  assert.deepEqual((await audited(edge)).filter((line) => !line.startsWith("null login")).slice(1, -1), [
    `${username} second_factor_on`,
    "null code_refused",
    `${username} recovery_code_used`,
    `${username} login`,
    `${username} recovery_code_used`,
    `${username} recovery_codes_made`,
    `${username} second_factor_off`,
  ]);
  const { rows } = await edge.ctx.db.execute("SELECT * FROM audit_log, activity");
  const everything = JSON.stringify(rows) + edge.logged.join("\n");
  for (const secret of [app.secret, ...app.recoveryCodes]) assert.ok(!everything.includes(secret));
});

Deno.test("while APP_KEY is changed either key opens a factor, and a newly sealed one needs only the next key", async () => {
  await using edge = await openTestApp();
  const [person, other] = [await edge.addPerson(), await edge.addPerson()];
  const app = await turnOnSecondFactor(edge, person);
  edge.door.factorKeys = await openFactorKeys(["the next application key", TEST_APP_KEY]);
  const theirs = await turnOnSecondFactor(edge, other);
  assert.deepEqual(await codeOf(await logIn(edge, person.username, app.code(1))), [200]);
  assert.equal(await sealSecretsAnew(edge.ctx, edge.door.factorKeys), 1);
  assert.equal(await sealSecretsAnew(edge.ctx, edge.door.factorKeys), 0);
  edge.door.factorKeys = await openFactorKeys(["the next application key"]);
  edge.clock.now += 5 * HALF_MINUTE_MS;
  assert.deepEqual(await codeOf(await logIn(edge, person.username, app.code())), [200]);
  assert.deepEqual(await codeOf(await logIn(edge, other.username, theirs.code())), [200]);
});

Deno.test("with another APP_KEY no code works, a recovery code still does, and the log says why", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const app = await turnOnSecondFactor(edge, person);
  edge.door.factorKeys = await openFactorKeys(["another application key"]);
  assert.deepEqual(await codeOf(await logIn(edge, person.username, app.code(1))), [401, "wrong_code"]);
  assert.ok(edge.logged.some((line) => line.includes("second_factor_unreadable")));
  assert.equal((await logIn(edge, person.username, app.recoveryCodes[0])).status, 200);
});
