import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { auditQueue } from "../queue/audit.ts";
import { openTestApp, PROOF, TEST_PASSWORD, type TestPerson } from "../testing/test_app.ts";

async function grant(admin: TestPerson, id: number, json: unknown) {
  const answer = await admin.ask(`/api/users/${id}/quota`, { method: "PATCH", json });
  return { status: answer.status, body: await answer.json() };
}

Deno.test("createUser() creates a user, a client by default, and returns no hash", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const create = (json: unknown) => admin.ask("/api/users", { method: "POST", json });
  const made = await create({ username: "דנה", password: "sisma-aruka-1" });
  assert.equal(made.status, 201);
  const { id, ...user } = await made.json();
  assert.deepEqual(user, {
    username: "דנה",
    role: "client",
    messageQuota: 0,
    disabled: false,
    secondFactor: false,
    lacksSecondFactor: false,
    firstPassword: false,
    createdAt: edge.clock.now,
  });
  const list = await admin.ask("/api/users");
  const text = await list.text();
  assert.deepEqual(JSON.parse(text).map((one: { id: number }) => one.id), [admin.id, id]);
  assert.ok(!/argon|hash/i.test(text));

  assert.equal(
    (await create({ proof: PROOF, username: "Boss", password: "sisma-aruka-1", role: "admin" })).status,
    201,
  );
  const taken = await create({ username: " bOSS ", password: "sisma-aruka-1" });
  assert.deepEqual([taken.status, (await taken.json()).code], [409, "username_taken"]);
  const wrong = [
    { username: "", password: "sisma-aruka-1" },
    { username: "   ", password: "sisma-aruka-1" },
    { username: "a\u202eb", password: "sisma-aruka-1" },
    { username: "x", password: "1234567" },
    { username: "x", password: "sisma-aruka-1", role: "owner" },
    { username: "x".repeat(65), password: "sisma-aruka-1" },
    { password: "sisma-aruka-1" },
  ];
  for (const json of wrong) assert.equal((await create(json)).status, 400, JSON.stringify(json).slice(0, 60));
});

Deno.test("createUser() creates one user when twenty requests ask for one name at once", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        admin.ask("/api/users", { method: "POST", json: { username: "dana", password: "sisma-aruka-1" } }),
    ),
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, ...Array(19).fill(409)]);
});

Deno.test("setQuota() returns the new balance, writes the difference to the ledger and notifies the client", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  assert.equal((await grant(admin, client.id, { messageQuota: 30 })).body.messageQuota, 30);
  assert.equal((await grant(admin, client.id, { messageQuota: 10 })).body.messageQuota, 10);
  assert.equal((await grant(admin, client.id, { messageQuota: 10 })).status, 200, "no change is no entry");
  assert.equal((await (await client.ask("/api/auth/me")).json()).messageQuota, 10);
  const { items, nextCursor } = await (await client.ask(`/api/users/${client.id}/ledger`)).json();
  assert.deepEqual(
    items.map(({ kind, delta, balanceAfter }: Record<string, unknown>) => [kind, delta, balanceAfter]),
    [["grant", -20, 10], ["grant", 30, 30]],
  );
  assert.equal(nextCursor, null);
  const { rows } = await edge.ctx.db.execute("SELECT data FROM events WHERE type = 'quota_changed'");
  assert.deepEqual(rows.map((row) => JSON.parse(String(row.data))), [{ messageQuota: 10 }]);
});

Deno.test("setQuota() changes the balance only if it is as expected, and returns the present one", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson({ messageQuota: 5 });
  const late = await grant(admin, client.id, { messageQuota: 14, expectedQuota: 4 });
  assert.deepEqual([late.status, late.body.code, late.body.messageQuota], [409, "quota_changed", 5]);
  // Two administrators load ten each onto the same balance of five at once: one must look again.
  const both = await Promise.all(
    [1, 2].map(() => grant(admin, client.id, { messageQuota: 15, expectedQuota: 5 })),
  );
  assert.deepEqual(both.map((answer) => answer.status).sort(), [200, 409]);
  assert.ok(both.every((answer) => answer.body.messageQuota === 15));
});

Deno.test("setQuota() loads once for one requestId, however often its answer is lost", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson({ messageQuota: 5 });
  const change = { messageQuota: 15, expectedQuota: 5, requestId: "request-1" };
  const answers = await Promise.all(Array.from({ length: 6 }, () => grant(admin, client.id, change)));
  for (const { status, body } of answers) assert.deepEqual([status, body.messageQuota], [200, 15]);
  assert.equal((await grant(admin, client.id, { messageQuota: 20, expectedQuota: 15 })).status, 200);
  assert.equal((await grant(admin, client.id, change)).body.messageQuota, 20, "the present balance");

  const other = await edge.addPerson({ messageQuota: 5 });
  assert.equal((await grant(admin, other.id, change)).status, 409, "an id used for somebody else");
  assert.equal((await (await other.ask("/api/auth/me")).json()).messageQuota, 5);
});

Deno.test("setQuota() refuses administrators, unknown users and invalid amounts", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  const onAdmin = await grant(admin, admin.id, { messageQuota: 10 });
  assert.deepEqual([onAdmin.status, onAdmin.body.code], [400, "quota_needs_client"]);
  assert.equal((await (await admin.ask("/api/auth/me")).json()).messageQuota, 0, "nor was it granted");
  assert.equal((await grant(admin, 999, { messageQuota: 10 })).status, 404);
  for (const messageQuota of [-1, 1.5, "10", null, 1e12, Number.MAX_SAFE_INTEGER]) {
    assert.equal((await grant(admin, client.id, { messageQuota })).status, 400, String(messageQuota));
  }
  for (const id of ["0", "-1", "1.0", "1e1", "0x1", "%20", "١", "9".repeat(20), "1;drop table users"]) {
    const answer = await admin.ask(`/api/users/${id}/quota`, { method: "PATCH", json: { messageQuota: 1 } });
    assert.equal(answer.status, 400, id);
  }
});

Deno.test("setQuota() keeps the balance equal to the ledger's sum when several administrators act at once", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const amount = fc.nat(50);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ messageQuota: amount, expectedQuota: amount }), { maxLength: 12 }),
      async (changes) => {
        const client = await edge.addPerson();
        await Promise.all(
          changes.map((change, i) =>
            grant(admin, client.id, i % 2 ? change : { messageQuota: change.messageQuota })
          ),
        );
        const { rows: [row] } = await edge.ctx.db.execute({
          sql:
            "SELECT message_quota, (SELECT coalesce(sum(delta), 0) FROM quota_ledger WHERE client = users.id) AS total FROM users WHERE id = ?",
          args: [client.id],
        });
        assert.equal(row!.message_quota, row!.total);
        assert.ok(Number(row!.total) >= 0);
      },
    ),
    { numRuns: 15 },
  );
});

Deno.test("listLedger() pages without a gap and shows a client only their own entries", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  const stranger = await edge.addPerson({ messageQuota: 99 });
  for (let quota = 1; quota <= 7; quota++) await grant(admin, client.id, { messageQuota: quota });
  const balances: number[] = [];
  let cursor = "";
  do {
    const page = await (await admin.ask(`/api/users/${client.id}/ledger?limit=3${cursor}`)).json();
    balances.push(...page.items.map((item: { balanceAfter: number }) => item.balanceAfter));
    cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "");
  assert.deepEqual(balances, [7, 6, 5, 4, 3, 2, 1]);
  assert.equal((await client.ask(`/api/users/${stranger.id}/ledger`)).status, 404);
  assert.equal((await client.ask(`/api/users/${client.id}/ledger?limit=501`)).status, 400);
  assert.deepEqual((await (await client.ask(`/api/users/${client.id}/ledger?campaign=1`)).json()).items, []);
});

Deno.test("updateUser() ends only the sessions of the user it disables or gives a password", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  const other = await edge.addPerson();
  const update = (id: number, change: Record<string, unknown>) =>
    admin.ask(`/api/users/${id}`, { method: "PATCH", json: { proof: PROOF, ...change } });
  const logIn = (password: string) =>
    edge.visitor.ask("/api/auth/login", { method: "POST", json: { username: client.username, password } });

  assert.equal((await (await update(client.id, { disabled: true })).json()).disabled, true);
  assert.equal((await client.ask("/api/auth/me")).status, 401);
  assert.equal((await logIn(TEST_PASSWORD)).status, 401);
  assert.equal((await (await update(client.id, { disabled: false })).json()).disabled, false);
  assert.equal((await logIn(TEST_PASSWORD)).status, 200);
  assert.equal((await update(client.id, { password: "a new password" })).status, 200);
  assert.equal((await logIn(TEST_PASSWORD)).status, 401);
  assert.equal((await logIn("a new password")).status, 200);
  const { rows } = await edge.ctx.db.execute("SELECT data FROM events WHERE type = 'session_ended'");
  assert.equal(rows.length, 2, "one socket's end each time");
  assert.equal((await other.ask("/api/auth/me")).status, 200);

  assert.equal((await update(admin.id, { disabled: true })).status, 400, "oneself");
  assert.equal((await admin.ask("/api/auth/me")).status, 200);
  assert.equal((await update(999, { disabled: true })).status, 404);
});

Deno.test("a request changes nothing when its user is disabled while it arrives", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const bytes = new TextEncoder().encode(
    JSON.stringify({ proof: PROOF, username: "back door", password: TEST_PASSWORD, role: "admin" }),
  );
  const lengths: Record<string, string>[] = [{}, { "content-length": String(bytes.length) }];
  for (const headers of lengths) {
    const thief = await edge.addPerson({ role: "admin" });
    const body = shutOutMeanwhile(admin, thief.id, bytes);
    const answer = await thief.ask("/api/users", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    assert.equal(answer.status, 401);
  }
  const { rows } = await edge.ctx.db.execute("SELECT 1 FROM users WHERE username = 'back door'");
  assert.deepEqual(rows, []);
});

Deno.test("a form or pasted list changes nothing when its user is disabled while it arrives", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const draft = new FormData();
  draft.set("name", "סתיו");
  draft.set("message", "שלום");
  const picture = new FormData();
  const bytes = await Deno.readFile(new URL("../campaigns/testdata/picture.png", import.meta.url));
  picture.set("image", new File([bytes], "picture.png"));
  const json = { "content-type": "application/json" };
  const cases: [string, string, RequestInit][] = [
    ["POST", "", { body: draft }],
    ["PUT", "/:id/image", { body: picture }],
    ["POST", "/:id/contacts/manual", { body: '{"numbers":"0521111111"}', headers: json }],
  ];
  const rows = async () =>
    (await edge.ctx.db.execute(`SELECT id, image, queued_count FROM campaigns`)).rows.map((row) => ({
      ...row,
    }));
  for (const [method, path, init] of cases) {
    const thief = await edge.addPerson();
    const { id } = await (await thief.ask("/api/campaigns", { method: "POST", body: draft })).json();
    const before = await rows();
    const whole = new Request("http://edge", { method, ...init });
    const type = whole.headers.get("content-type")!;
    const bytes = await whole.bytes();
    const body = shutOutMeanwhile(admin, thief.id, bytes);
    const headers = { "content-type": type, "content-length": String(bytes.length) };
    const answer = await thief.ask(`/api/campaigns${path.replace(":id", id)}`, { method, headers, body });
    assert.equal(answer.status, 401, path);
    assert.deepEqual(await rows(), before, path);
  }
});

Deno.test("PATCH /api/users/:id refuses the caller's own password, which requires the present one", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const own = await admin.ask(`/api/users/${admin.id}`, {
    method: "PATCH",
    json: { proof: PROOF, password: "of who stole a session" },
  });
  assert.deepEqual([own.status, (await own.json()).code], [400, "invalid_input"]);
  const json = { username: admin.username, password: TEST_PASSWORD };
  assert.equal((await edge.visitor.ask("/api/auth/login", { method: "POST", json })).status, 200);
  assert.equal((await admin.ask("/api/auth/me")).status, 200, "the session goes on");
});

/** Returns a body that arrives only when the edge reads it; its sender has been disabled by then. */
function shutOutMeanwhile(admin: TestPerson, id: number, bytes: Uint8Array<ArrayBuffer>): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      await admin.ask(`/api/users/${id}`, { method: "PATCH", json: { proof: PROOF, disabled: true } });
      controller.enqueue(bytes);
      controller.close();
    },
  }, { highWaterMark: 0 });
}

function correct(by: TestPerson, id: number, json: unknown) {
  return by.ask(`/api/users/${id}/quota/corrections`, { method: "POST", json }).then(async (answer) => ({
    status: answer.status,
    body: await answer.json(),
  }));
}

Deno.test("correctQuota() writes an entry with its reason, which client, activity list and audit log show", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson({ messageQuota: 30 });
  const reason = "טעינה כפולה אתמול, ראו 0541234567";
  const answer = await correct(admin, client.id, { delta: -12, reason });
  assert.deepEqual([answer.status, answer.body.messageQuota], [200, 18]);
  assert.equal((await correct(admin, client.id, { delta: 2, reason: "עיגול" })).body.messageQuota, 20);

  const { items } = await (await client.ask(`/api/users/${client.id}/ledger`)).json();
  const { kind, delta, balanceAfter, actor, actorName, reason: shown } = items[1];
  assert.deepEqual([kind, delta, balanceAfter, actor, actorName], ["correction", -12, 18, "admin", null]);
  assert.match(shown, /^טעינה כפולה אתמול/);
  assert.ok(!shown.includes("0541234567"), "a number in a reason is not kept");
  const seen = await (await admin.ask(`/api/users/${client.id}/ledger`)).json();
  assert.equal(seen.items[1].actorName, (await (await admin.ask("/api/auth/me")).json()).username);

  const { rows: audited } = await edge.ctx.db.execute(
    "SELECT actor, user, data FROM audit_log WHERE kind = 'quota_corrected' ORDER BY id",
  );
  assert.deepEqual(
    audited.map(({ actor, user, data }) => [actor, user, JSON.parse(String(data)).delta]),
    [[admin.id, client.id, -12], [admin.id, client.id, 2]],
  );
  const { rows: lines } = await edge.ctx.db.execute("SELECT code FROM activity WHERE code LIKE 'quota%'");
  assert.deepEqual(lines.slice(-2).map(({ code }) => code), ["quota_corrected", "quota_corrected"]);
  const { rows: events } = await edge.ctx.db.execute("SELECT data FROM events WHERE type = 'quota_changed'");
  assert.deepEqual(events.map(({ data }) => JSON.parse(String(data))), [{ messageQuota: 20 }]);
});

Deno.test("correctQuota() never takes the balance below zero, and counts one request once", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson({ messageQuota: 30 });
  const reason = "תיקון של טעות";
  const below = await correct(admin, client.id, { delta: -31, reason });
  assert.deepEqual([below.status, below.body.code], [409, "quota_below_zero"]);
  const change = { delta: -20, reason, requestId: "request-7" };
  const answers = await Promise.all(Array.from({ length: 5 }, () => correct(admin, client.id, change)));
  for (const { status, body } of answers) assert.deepEqual([status, body.messageQuota], [200, 10]);
  const both = await Promise.all([1, 2].map(() => correct(admin, client.id, { delta: -10, reason })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("correctQuota() refuses administrators' quotas, clients who ask, unknown users and wrong bodies", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson({ messageQuota: 30 });
  const reason = "תיקון של טעות";
  assert.equal((await correct(admin, admin.id, { delta: 1, reason })).body.code, "quota_needs_client");
  assert.equal((await correct(client, client.id, { delta: 1, reason })).status, 403);
  assert.equal((await correct(admin, 999, { delta: 1, reason })).status, 404);
  for (
    const json of [
      { delta: 0, reason },
      { delta: 1.5, reason },
      { delta: "1", reason },
      { delta: 1e12, reason },
      { delta: 1_000_000_000, reason },
      { delta: 1 },
      { delta: 1, reason: "אב" },
      { delta: 1, reason: "א".repeat(201) },
    ]
  ) assert.equal((await correct(admin, client.id, json)).status, 400, JSON.stringify(json));
  assert.equal((await (await client.ask("/api/auth/me")).json()).messageQuota, 30);
});

Deno.test("ledgerCsv() gives a client the whole own ledger without administrators' names, and nobody another's", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  const stranger = await edge.addPerson();
  for (let quota = 1; quota <= 260; quota++) {
    await edge.ctx.db.execute({
      sql: "INSERT INTO quota_ledger (client, at, kind, delta, actor) VALUES (?, ?, 'grant', 1, ?)",
      args: [client.id, edge.ctx.now(), admin.id],
    });
  }
  await correct(admin, client.id, { delta: -60, reason: "טעינה כפולה" });
  const { username } = await (await admin.ask("/api/auth/me")).json();
  const path = `/api/users/${client.id}/ledger.csv`;
  const [own, seen] = await Promise.all(
    [client, admin].map(async (person) => (await person.ask(path)).text()),
  );
  const lines = own!.trim().split("\r\n");
  assert.equal(lines.length, 1 + 261);
  assert.ok(lines[1]!.endsWith(`"תיקון","","מנהל המערכת","טעינה כפולה","","60","200"`), lines[1]);
  assert.ok(!own!.includes(username) && seen!.includes(username));
  assert.equal((await stranger.ask(path)).status, 404);
  const { rows } = await edge.ctx.db.execute(
    "SELECT actor, user, data FROM audit_log WHERE kind = 'exported' ORDER BY id",
  );
  assert.deepEqual(rows.map(({ user, data }) => [user, JSON.parse(String(data))]), [
    [client.id, { what: "ledger" }],
    [client.id, { what: "ledger" }],
  ]);
});

Deno.test("POST /api/users gives a client its starting quota as a ledger entry, and an administrator none", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const create = (json: Record<string, unknown>) =>
    admin.ask("/api/users", { method: "POST", json: { password: "sod-gadol-7", ...json } });
  const made = await create({ username: "נועה", messageQuota: 1200 });
  assert.equal(made.status, 201);
  const { id, messageQuota } = await made.json();
  assert.equal(messageQuota, 1200);
  const { rows } = await edge.ctx.db.execute(
    "SELECT client, kind, delta, balance_after AS balance, actor FROM quota_ledger",
  );
  assert.deepEqual({ ...rows[0] }, {
    client: id,
    kind: "grant",
    delta: 1200,
    balance: 1200,
    actor: admin.id,
  });
  assert.equal((await create({ username: "נועה", messageQuota: 5 })).status, 409);
  assert.equal((await create({ username: "רוני" })).status, 201);
  for (const messageQuota of [-1, 1.5, 1_000_000_001, "7"]) {
    assert.equal((await create({ username: "אחר", messageQuota })).status, 400, String(messageQuota));
  }
  assert.equal((await create({ username: "מנהל", role: "admin", messageQuota: 5 })).status, 400);
  assert.equal(
    (await edge.ctx.db.execute("SELECT 1 FROM quota_ledger")).rows.length,
    1,
    "a repeat adds nothing",
  );
});
