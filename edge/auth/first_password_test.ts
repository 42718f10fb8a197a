import assert from "node:assert/strict";
import { addressOf, ROUTES } from "../testing/route_table.ts";
import { turnOnSecondFactor } from "../testing/second_factor.ts";
import { cookiesOf, openTestApp, PROOF, TEST_PASSWORD, type TestApp } from "../testing/test_app.ts";
import { makeFirstUsers } from "../users/first_start.ts";
import { setAdminPassword } from "../users/set_admin_password.ts";
import { FIRST_PASSWORD_MS } from "./first_password.ts";

const GIVEN = "given by somebody";
const OWN = "chosen by oneself";

function logIn(edge: TestApp, username: string, password: string, code?: string) {
  return edge.visitor.ask("/api/auth/login", { method: "POST", json: { username, password, code } });
}

function change(edge: TestApp, cookie: string, currentPassword: string, newPassword: string) {
  const json = { currentPassword, newPassword };
  return edge.visitor.ask("/api/auth/password", { method: "POST", json, headers: { cookie } });
}

async function codeOf(answer: Response): Promise<unknown[]> {
  return answer.ok ? [answer.status] : [answer.status, (await answer.json()).code];
}

/** Opens a house with a client who was made with GIVEN as a first password. */
async function openHouse() {
  const edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const json = { username: "dana", password: GIVEN, firstPassword: true };
  const made = await admin.ask("/api/users", { method: "POST", json });
  const { id } = await made.json();
  const ask = async (cookie: string, path: string) =>
    await codeOf(await edge.visitor.ask(path, { headers: { cookie } }));
  return { edge, admin, id, ask };
}

Deno.test("a password that an administrator gave opens only the account page, until its user chooses another", async () => {
  const { edge, ask } = await openHouse();
  await using _ = edge;
  const loggedIn = await logIn(edge, "dana", GIVEN);
  assert.equal((await loggedIn.clone().json()).firstPassword, true);
  const cookie = cookiesOf(loggedIn);
  for (const [route, { access, json }] of Object.entries(ROUTES)) {
    if (!["user", "own", "admin"].includes(access) || route.includes(" /api/auth/")) continue;
    const method = route.slice(0, route.indexOf(" "));
    const answer = await edge.visitor.ask(addressOf(route, {}), { method, json, headers: { cookie } });
    assert.deepEqual(await codeOf(answer), [403, "new_password_required"], route);
  }
  assert.deepEqual(await ask(cookie, "/api/auth/me"), [200]);

  assert.deepEqual(
    await codeOf(await change(edge, cookie, GIVEN, GIVEN)),
    [400, "invalid_input"],
    "not kept",
  );
  const changed = await change(edge, cookie, GIVEN, OWN);
  assert.equal(changed.status, 204);
  assert.deepEqual(await ask(cookiesOf(changed), "/api/campaigns"), [200]);
  edge.clock.now += FIRST_PASSWORD_MS;
  const again = await logIn(edge, "dana", OWN);
  assert.equal((await again.clone().json()).firstPassword, false);
  assert.deepEqual(await ask(cookiesOf(again), "/api/campaigns"), [200], "one's own is good for ever");
});

Deno.test("a given password and its sessions end after seven days; only a caller who knows it learns so", async () => {
  const { edge, admin, id, ask } = await openHouse();
  await using _ = edge;
  const factor = await edge.addPerson();
  await turnOnSecondFactor(edge, factor);
  const give = (to: number) =>
    admin.ask(`/api/users/${to}`, {
      method: "PATCH",
      json: { proof: PROOF, password: GIVEN, firstPassword: true },
    });
  await give(factor.id);
  edge.clock.now += FIRST_PASSWORD_MS - 1;
  const cookie = cookiesOf(await logIn(edge, "dana", GIVEN));
  assert.deepEqual(await ask(cookie, "/api/auth/me"), [200]);
  edge.clock.now += 1;
  assert.deepEqual(await ask(cookie, "/api/auth/me"), [401, "not_logged_in"]);
  assert.deepEqual(await codeOf(await change(edge, cookie, GIVEN, OWN)), [401, "not_logged_in"]);
  for (const username of ["dana", factor.username]) {
    assert.deepEqual(await codeOf(await logIn(edge, username, "wrong password")), [401, "wrong_credentials"]);
    const answer = await logIn(edge, username, GIVEN);
    assert.match((await answer.clone().json()).error, /או ממי שמפעיל את השרת/);
    assert.deepEqual(await codeOf(answer), [403, "first_password_over"]);
    assert.equal(cookiesOf(answer), "");
  }
  const log = await edge.ctx.db.execute("SELECT 1 FROM audit_log WHERE kind = 'login_failed'");
  assert.equal(log.rows.length, 4, "all of them are audited");

  const anew = await edge.addPerson({ role: "admin" });
  await anew.ask(`/api/users/${id}`, {
    method: "PATCH",
    json: { proof: PROOF, password: "given once more" },
  });
  assert.deepEqual(await codeOf(await logIn(edge, "dana", "given once more")), [200]);
});

Deno.test("a password given for good opens everything, and replaces a first password", async () => {
  const { edge, admin, id, ask } = await openHouse();
  await using _ = edge;
  const json = { username: "noam", password: OWN };
  assert.equal((await admin.ask("/api/users", { method: "POST", json })).status, 201);
  await admin.ask(`/api/users/${id}`, { method: "PATCH", json: { proof: PROOF, password: OWN } });
  edge.clock.now += FIRST_PASSWORD_MS;
  for (const username of ["noam", "dana"]) {
    const loggedIn = await logIn(edge, username, OWN);
    assert.equal((await loggedIn.clone().json()).firstPassword, false);
    assert.deepEqual(await ask(cookiesOf(loggedIn), "/api/campaigns"), [200]);
  }
});

Deno.test("the operator's command also gives a first password", async () => {
  await using edge = await openTestApp();
  const { ctx, door: { passwords } } = edge;
  await makeFirstUsers(ctx, passwords, { username: "admin", password: TEST_PASSWORD });
  const isFirst = async (username: string, password: string) =>
    (await (await logIn(edge, username, password)).json()).firstPassword;
  assert.equal(await isFirst("admin", TEST_PASSWORD), false, "ADMIN_PASSWORD is its operator's own choice");
  assert.equal(await setAdminPassword(ctx, passwords, "admin", GIVEN), true);
  assert.equal(await isFirst("admin", GIVEN), true);
});

Deno.test("the logins that a demonstration prints stay good", async () => {
  for (const isDemonstration of [false, true]) {
    await using edge = await openTestApp();
    const admin = { username: "admin", password: undefined };
    const logins = await makeFirstUsers(edge.ctx, edge.door.passwords, admin, { isDemonstration });
    edge.clock.now += FIRST_PASSWORD_MS - 1;
    for (const { username, password } of logins!) {
      const user = await (await logIn(edge, username, password)).json();
      assert.equal(user.firstPassword, !isDemonstration, username);
    }
    edge.clock.now += 1;
    for (const { username, password } of logins!) {
      const { status } = await logIn(edge, username, password);
      assert.equal(status, isDemonstration ? 200 : 403, username);
    }
  }
});
