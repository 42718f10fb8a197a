import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { addressOf, ROUTES } from "../testing/route_table.ts";
import { turnOnSecondFactor } from "../testing/second_factor.ts";
import { cookiesOf, openTestApp, TEST_PASSWORD, type TestPerson } from "../testing/test_app.ts";

const REQUIRED = { ...DEFAULT_SETTINGS, adminsNeedSecondFactor: true };

const save = (admin: TestPerson, json: unknown) => admin.ask("/api/admin/settings", { method: "PUT", json });

async function codeOf(answer: Response): Promise<unknown[]> {
  return answer.ok ? [answer.status] : [answer.status, (await answer.json()).code];
}

/**
 * Opens a house with an administrator who has the factor and requires it, an administrator without one, and a client.
 */
async function openHouse() {
  const edge = await openTestApp();
  const careful = await edge.addPerson({ role: "admin" });
  const other = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  await turnOnSecondFactor(edge, careful);
  assert.equal((await save(careful, REQUIRED)).status, 200);
  return { edge, careful, other, client };
}

Deno.test("only an administrator with a second factor can require it of all", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  assert.deepEqual(await codeOf(await save(admin, REQUIRED)), [403, "second_factor_required"]);
  const { settings } = await (await admin.ask("/api/admin/settings")).json();
  assert.equal(settings.adminsNeedSecondFactor, false, "nothing was saved");
  await turnOnSecondFactor(edge, admin);
  assert.deepEqual(await codeOf(await save(admin, REQUIRED)), [200]);
});

Deno.test("an administrator without the required factor is logged out, and reaches only their own account", async () => {
  const { edge, careful, other, client } = await openHouse();
  await using _ = edge;
  assert.equal((await other.ask("/api/auth/me")).status, 401);
  assert.equal((await client.ask("/api/campaigns")).status, 200, "of clients none is required");
  assert.equal((await careful.ask("/api/users")).status, 200);
  const json = { username: other.username, password: TEST_PASSWORD };
  const loggedIn = await edge.visitor.ask("/api/auth/login", { method: "POST", json });
  assert.equal((await loggedIn.clone().json()).lacksSecondFactor, true);
  const headers = { cookie: cookiesOf(loggedIn) };
  for (const [route, { access, json }] of Object.entries(ROUTES)) {
    if (!["user", "own", "admin"].includes(access)) continue;
    const method = route.slice(0, route.indexOf(" "));
    const answer = await edge.visitor.ask(addressOf(route, {}), { method, json, headers });
    const isOwn = route.includes(" /api/auth/");
    const codeOf = isOwn ? answer.status === 403 : (await answer.json()).code === "second_factor_required";
    assert.equal(codeOf, !isOwn, `${route}: ${answer.status}`);
  }
});

Deno.test("turning the factor on opens the other screens, and turning it off closes them", async () => {
  const { edge, other } = await openHouse();
  await using _ = edge;
  const json = { username: other.username, password: TEST_PASSWORD };
  const cookie = cookiesOf(await edge.visitor.ask("/api/auth/login", { method: "POST", json }));
  const back: TestPerson = {
    ...other,
    cookie,
    ask: (path, init = {}) => edge.visitor.ask(path, { ...init, headers: { cookie, ...init.headers } }),
  };
  assert.deepEqual(await codeOf(await back.ask("/api/users")), [403, "second_factor_required"]);
  const app = await turnOnSecondFactor(edge, back);
  assert.deepEqual(await codeOf(await back.ask("/api/users")), [200]);
  const off = { method: "DELETE", json: { password: TEST_PASSWORD, code: app.code(1) } };
  const headers = { cookie: cookiesOf(await back.ask("/api/auth/second-factor", off)) };
  assert.deepEqual(await codeOf(await edge.visitor.ask("/api/users", { headers })), [
    403,
    "second_factor_required",
  ]);
});
