import assert from "node:assert/strict";
import { DEFAULT_SETTINGS, type Settings } from "shared/settings.ts";
import { createSite } from "../sites/create_site.ts";
import { type Authenticator, turnOnSecondFactor } from "../testing/second_factor.ts";
import {
  cookiesOf,
  openTestApp,
  PROOF,
  TEST_PASSWORD,
  type TestApp,
  type TestPerson,
} from "../testing/test_app.ts";
import { MAX_TRIES } from "./login_throttle.ts";

const PERSON = { username: "back door", password: "sisma-aruka-1" };

async function codeOf(answer: Response): Promise<unknown[]> {
  return answer.ok ? [answer.status] : [answer.status, (await answer.json()).code];
}

/** Lets `by` make an administrator. */
async function makeAdmin(by: TestPerson, proof?: Record<string, unknown>): Promise<unknown[]> {
  return await codeOf(
    await by.ask("/api/users", { method: "POST", json: { ...PERSON, role: "admin", proof } }),
  );
}

const isMade = async ({ ctx }: TestApp) =>
  (await ctx.db.execute("SELECT 1 FROM users WHERE username = 'back door'")).rows.length === 1;

Deno.test("a session alone creates no administrator: the password is required, and the right one is enough", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  assert.deepEqual(await makeAdmin(admin), [403, "proof_needed"]);
  assert.deepEqual(await makeAdmin(admin, { password: "wrong password" }), [401, "wrong_credentials"]);
  assert.deepEqual(await makeAdmin(admin, { ...PROOF, code: "123456" }), [409, "second_factor_state"]);
  for (const proof of [{}, { password: "" }, { password: "x".repeat(201) }, { password: 1 }]) {
    assert.deepEqual(await makeAdmin(admin, proof), [400, "invalid_input"], JSON.stringify(proof));
  }
  assert.equal(await isMade(edge), false);
  assert.deepEqual(await makeAdmin(admin, PROOF), [201]);
  const { rows } = await edge.ctx.db.execute("SELECT actor FROM audit_log WHERE kind = 'password_refused'");
  assert.deepEqual(rows.map(({ actor }) => actor), [admin.id], "a guess is audited");
});

Deno.test("an administrator with a second factor proves an act with both, and a code proves one act", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const app: Authenticator = await turnOnSecondFactor(edge, admin);
  edge.clock.now += 60_000;
  assert.deepEqual(await makeAdmin(admin, PROOF), [401, "second_factor_needed"]);
  assert.deepEqual(await makeAdmin(admin, { ...PROOF, code: "000000" }), [401, "wrong_code"]);
  assert.deepEqual(await makeAdmin(admin, { password: "wrong password", code: app.code() }), [
    401,
    "wrong_credentials",
  ]);
  assert.equal(await isMade(edge), false);
  const proof = { ...PROOF, code: app.code() };
  assert.deepEqual(await makeAdmin(admin, proof), [201]);
  const client = await edge.addPerson();
  const json = { proof, password: "of the thief" };
  const again = await admin.ask(`/api/users/${client.id}`, { method: "PATCH", json });
  assert.deepEqual(await codeOf(again), [401, "wrong_code"]);
});

Deno.test("guesses through a session and through the login count together", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const address = "198.51.100.7";
  const asks = (password: string) =>
    admin.ask("/api/users", {
      method: "POST",
      address,
      json: { ...PERSON, role: "admin", proof: { password } },
    });
  for (let tries = 0; tries < MAX_TRIES.pair; tries++) {
    assert.deepEqual(await codeOf(await asks("wrong password")), [401, "wrong_credentials"]);
  }
  assert.deepEqual(await codeOf(await asks(TEST_PASSWORD)), [429, "too_many_attempts"]);
  const json = { username: admin.username, password: TEST_PASSWORD };
  const login = await edge.visitor.ask("/api/auth/login", { method: "POST", address, json });
  assert.deepEqual(await codeOf(login), [429, "too_many_attempts"]);
  assert.deepEqual(await makeAdmin(admin, PROOF), [201], "elsewhere their owner goes on");
});

Deno.test("an act changes nothing when its session ends while the password is compared", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const json = { username: admin.username, password: TEST_PASSWORD };
  const elsewhere = cookiesOf(await edge.visitor.ask("/api/auth/login", { method: "POST", json }));
  const { passwords } = edge.door;
  const { verify } = passwords;
  passwords.verify = async (...args) => {
    passwords.verify = verify;
    const isRight = await verify(...args);
    await edge.visitor.ask("/api/auth/sessions", {
      method: "DELETE",
      json: { password: TEST_PASSWORD },
      headers: { cookie: elsewhere },
    });
    return isRight;
  };
  assert.deepEqual(await makeAdmin(admin, PROOF), [401, "not_logged_in"]);
  assert.equal(await isMade(edge), false);
});

Deno.test("disabling users and creating clients needs no password; creating administrators does", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const [client, other] = [await edge.addPerson(), await edge.addPerson({ role: "admin" })];
  const patch = async ({ id }: TestPerson, json: unknown) =>
    await codeOf(await admin.ask(`/api/users/${id}`, { method: "PATCH", json }));
  const made = await admin.ask("/api/users", { method: "POST", json: { ...PERSON, role: "client" } });
  assert.deepEqual(await codeOf(made), [201]);
  assert.deepEqual(await patch(client, { disabled: true }), [200]);
  const asked: [TestPerson, unknown][] = [
    [client, { disabled: false }],
    [client, { password: "of the thief" }],
    [client, { secondFactor: false }],
    [client, { disabled: true, secondFactor: false }],
    [other, { disabled: true }],
  ];
  for (const [person, json] of asked) {
    assert.deepEqual(await patch(person, json), [403, "proof_needed"], JSON.stringify(json));
  }
  assert.equal((await other.ask("/api/auth/me")).status, 200);
});

Deno.test("settings are saved without the password unless they protect less than they did", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const save = async (change: Partial<Settings>) =>
    (await codeOf(
      await admin.ask("/api/admin/settings", { method: "PUT", json: { ...DEFAULT_SETTINGS, ...change } }),
    ))[0];
  const free: Partial<Settings>[] = [
    { maxMessagesPerDay: 50, rateLimit: 3, breakerFailedPercent: 5, sendingOpensAt: 10 },
    { maxMessagesPerDay: 250 },
    { serviceHoursEnforced: true, autoFailover: false, enableNotifications: false },
  ];
  for (const change of free) assert.equal(await save(change), 200, JSON.stringify(change));
  const asked: Partial<Settings>[] = [
    { maxMessagesPerDay: 251 },
    { rateLimit: 0.9 },
    { warmupEnabled: false },
    { hourlyPercent: 26 },
    { sendingHoursEnforced: false },
    { serviceHoursEnforced: false },
    { sendingOpensAt: 8 },
    { sendingClosesAt: 21 },
    { fridayClosesAt: 14 },
    { frequencyCapDays: 0 },
    { breakerFailedPercent: 100 },
    { breakerUnknownPercent: 6 },
    { breakerOptOutPercent: 3 },
    { retentionDays: 89 },
    { retentionDays: 91 },
  ];
  for (const change of asked) assert.equal(await save(change), 403, JSON.stringify(change));
});

Deno.test("switching off the requirement of second factors requires both factors", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const app = await turnOnSecondFactor(edge, admin);
  const save = async (adminsNeedSecondFactor: boolean, proof?: unknown) => {
    const json = { ...DEFAULT_SETTINGS, adminsNeedSecondFactor, proof };
    return await codeOf(await admin.ask("/api/admin/settings", { method: "PUT", json }));
  };
  assert.deepEqual(await save(true), [200]);
  assert.deepEqual(await save(false), [403, "proof_needed"]);
  assert.deepEqual(await save(false, PROOF), [401, "second_factor_needed"]);
  assert.deepEqual(await save(false, { ...PROOF, code: app.recoveryCodes[0] }), [200]);
});

Deno.test("a session alone creates no join token, and an older token stays valid", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const { siteId } = await createSite(edge.ctx, "חיפה");
  const token = async () =>
    (await edge.ctx.db.execute("SELECT * FROM join_tokens")).rows.map((row) => ({ ...row }));
  const before = await token();
  const path = `/api/admin/sites/${siteId}/token`;
  assert.deepEqual(await codeOf(await admin.ask(path, { method: "POST" })), [403, "proof_needed"]);
  assert.deepEqual(await token(), before);
  assert.deepEqual(await codeOf(await admin.ask(path, { method: "POST", json: { proof: PROOF } })), [200]);
  assert.notDeepEqual(await token(), before);
});
