import assert from "node:assert/strict";
import { auditChainSchema, auditPageSchema } from "shared/audit.ts";
import { createSite } from "../sites/create_site.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { cookiesOf, PROOF, TEST_PASSWORD, type TestPerson } from "../testing/test_app.ts";
import { sendNew } from "../testing/queue_acts.ts";

async function list(house: AdminHouse, query = "") {
  return auditPageSchema.parse(await house.read(`/api/admin/audit${query}`));
}

/** Returns actor and content of the rows audited after row `after`. */
async function since(house: AdminHouse, after: number) {
  const { items } = await list(house);
  return items.filter(({ id }) => id > after).reverse().map(({ kind, actorName }) => `${actorName} ${kind}`);
}

async function newest(house: AdminHouse): Promise<number> {
  return (await list(house, "?limit=1")).items[0]!.id;
}

async function act(person: Pick<TestPerson, "ask">, method: string, path: string, json?: unknown) {
  const { status, body } = await person.ask(path, { method, json });
  await body?.cancel();
  assert.ok(status < 300, `${method} ${path}: ${status}`);
}

Deno.test("GET /api/admin/audit shows the actor of each act: logins, users, quota", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const start = await newest(house);
  await act(admin, "POST", "/api/users", { username: "dana", password: "sisma-aruka-1", role: "client" });
  const dana = (await (await admin.ask("/api/users")).json()).find((u: { username: string }) =>
    u.username === "dana"
  );
  const login = (password: string) =>
    edge.visitor.ask("/api/auth/login", { method: "POST", json: { username: "Dana", password } });
  await login("wrong password");
  await login("sisma-aruka-1");
  await act(admin, "PATCH", `/api/users/${dana.id}/quota`, { messageQuota: 7 });
  await act(admin, "PATCH", `/api/users/${dana.id}`, { proof: PROOF, password: "sisma-aruka-2" });
  await act(admin, "PATCH", `/api/users/${dana.id}`, { disabled: true });
  await act(admin, "PATCH", `/api/users/${dana.id}`, { proof: PROOF, disabled: false });
  const changed = await admin.ask("/api/auth/password", {
    method: "POST",
    json: { currentPassword: TEST_PASSWORD, newPassword: "another one" },
  });
  // The session continues under another id.
  const headers = { cookie: cookiesOf(changed) };
  assert.equal((await edge.visitor.ask("/api/auth/logout", { method: "POST", headers })).status, 204);
  const other = await edge.addPerson({ role: "admin" });
  house.admin.ask = other.ask;
  const { username } = admin;
  house.read = async (path) => await (await other.ask(path)).json();
  assert.deepEqual((await since(house, start)).slice(0, 9), [
    `${username} user_created`,
    "null login_failed",
    "dana login",
    `${username} quota_changed`,
    `${username} password_reset`,
    `${username} user_disabled`,
    `${username} user_enabled`,
    `${username} password_changed`,
    `${username} logout`,
  ]);
  const { items } = await list(house, `?actor=${admin.id}&kind=quota_changed`);
  assert.deepEqual(items.map(({ text }) => text), ["טעינה של 7 הודעות למכסה של dana"]);
});

Deno.test("GET /api/admin/audit shows the actor of each act: campaigns, sites, settings, suppressions, exports", async () => {
  await using house = await openAdminHouse();
  const { edge, admin, fleet } = house;
  const { id } = await sendNew(fleet, 3);
  const owner = String(
    (await fleet.ctx.db.execute("SELECT username FROM users ORDER BY id DESC")).rows[0]!.username,
  );
  const start = await newest(house) - 1;
  await act(admin, "POST", `/api/campaigns/${id}/pause`);
  await act(admin, "POST", `/api/campaigns/${id}/resume`);
  await act(admin, "POST", `/api/campaigns/${id}/cancel`);
  await act(admin, "POST", "/api/admin/queues/clear");
  const { siteId } = await createSite(edge.ctx, "חיפה", admin.id);
  for (const what of ["token", "start", "write-off", "revoke"]) {
    await act(admin, "POST", `/api/admin/sites/${siteId}/${what}`, { proof: PROOF });
  }
  const { settings } = await house.read("/api/admin/settings") as { settings: Record<string, unknown> };
  await act(admin, "PUT", "/api/admin/settings", { ...settings, maxContactsPerClient: 1_000_000 });
  await act(admin, "POST", "/api/suppressions", { numbers: "0541111111\n0542222222" });
  await act(admin, "DELETE", "/api/suppressions", { proof: PROOF, ids: [1, 2] });
  await act(admin, "GET", `/api/campaigns/${id}/deliveries.csv`);
  await act(admin, "GET", "/api/admin/devices.csv");
  const kinds = (await since(house, start)).map((line) => line.replace(admin.username, "admin"));
  assert.deepEqual(kinds, [
    `${owner} campaign_sent`,
    ...[
      "campaign_paused",
      "campaign_resumed",
      "campaign_cancelled",
      "queues_cleared",
      "site_created",
      "site_token",
      "site_token",
      "site_started",
      "site_written_off",
      "site_revoked",
      "settings_changed",
      "suppressions_added",
      "suppressions_removed",
      "exported",
      "exported",
    ].map((kind) => `admin ${kind}`),
  ]);
  const { items } = await list(house, "?group=system");
  assert.deepEqual(items.map(({ text }) => text), [
    "שינוי הגדרות: תקרת אנשי קשר ללקוח: 1,000,000 במקום 5,000,000",
  ]);
});

Deno.test("the audit log holds marks in place of numbers, addresses and typed names", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  await act(admin, "POST", "/api/suppressions", { numbers: "0541111111" });
  const json = { username: "my-secret-pass", password: "x" };
  await edge.visitor.ask("/api/auth/login", { method: "POST", json, address: "192.0.2.77" });
  const { rows } = await edge.ctx.db.execute("SELECT * FROM audit_log");
  assert.match(JSON.stringify(rows), /"suppressions_added".*\\"numbers\\":\[\\"[\w-]{22}\\"\]/);
  assert.doesNotMatch(JSON.stringify(rows), /541111111|192\.0\.2\.77|my-secret-pass/);
});

Deno.test("a locked-out login is audited once, however many more tries follow", async () => {
  await using house = await openAdminHouse();
  const json = { username: house.admin.username, password: "guess" };
  for (let tries = 0; tries < 15; tries++) {
    await house.edge.visitor.ask("/api/auth/login", { method: "POST", json, address: "192.0.2.8" });
  }
  const kinds = (await list(house, "?group=logins")).items.map(({ kind }) => kind);
  assert.deepEqual([
    kinds.filter((kind) => kind === "login_failed").length,
    kinds.filter((kind) => kind === "login_locked").length,
  ], [10, 1]);
});

Deno.test("GET /api/admin/audit is read page by page, by kind, by actor and by date", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  for (let count = 0; count < 5; count++) await act(admin, "GET", "/api/admin/devices.csv");
  const first = await list(house, "?kind=exported&limit=3");
  const second = await list(house, `?kind=exported&limit=3&cursor=${first.nextCursor}`);
  assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [3, 2, null]);
  assert.equal((await list(house, `?group=privacy&actor=${admin.id}`)).items.length, 5);
  assert.equal((await list(house, `?group=privacy&actor=${admin.id + 1}`)).items.length, 0);
  const now = edge.clock.now;
  assert.equal((await list(house, `?kind=exported&from=${now}&to=${now + 1}`)).items.length, 5);
  assert.equal((await list(house, `?kind=exported&to=${now}`)).items.length, 0);
  assert.equal((await admin.ask("/api/admin/audit?kind=nothing")).status, 400);
});

Deno.test("POST /api/admin/audit/check returns whether the chain is whole, and where it is broken", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const check = async () =>
    auditChainSchema.parse(await (await admin.ask("/api/admin/audit/check", { method: "POST" })).json());
  const whole = await check();
  assert.deepEqual([whole.fault, whole.open, whole.checkedAt], [null, 0, edge.clock.now]);
  await edge.ctx.db.execute("DROP TRIGGER audit_log_written_once");
  await edge.ctx.db.execute("UPDATE audit_log SET actor = 12 WHERE id = 2");
  assert.deepEqual((await check()).fault, { row: 2, fault: "edited" });
  assert.ok(edge.logged.some((line) => line.includes("audit_log_broken")));
});

Deno.test("GET /api/admin/audit.csv opens in a spreadsheet without formulas, and is itself audited", async () => {
  await using house = await openAdminHouse();
  await act(house.admin, "POST", "/api/users", {
    proof: PROOF,
    username: "=cmd()",
    password: "sisma-aruka-1",
    role: "admin",
  });
  const login = { username: "=cmd()", password: "sisma-aruka-1" };
  await house.edge.visitor.ask("/api/auth/login", { method: "POST", json: login });
  const text = await (await house.admin.ask("/api/admin/audit.csv")).text();
  assert.ok(text.includes(`"'=cmd()","כניסה למערכת"`), text);
  assert.ok(text.includes(`"exported"`));
});
