import assert from "node:assert/strict";
import { ConfigError } from "../config.ts";
import { openTestApp } from "../testing/test_app.ts";
import { DEMO_QUOTA, makeFirstUsers } from "./first_start.ts";

const admin = { username: "admin", password: undefined };
const DEMONSTRATION = { isDemonstration: true };

Deno.test("makeFirstUsers() creates only an administrator, and a client only for a demonstration", async () => {
  await using edge = await openTestApp();
  const logins = await makeFirstUsers(edge.ctx, edge.door.passwords, admin);
  assert.deepEqual(logins?.map(({ username, role }) => [username, role]), [["admin", "admin"]]);
  const { rows } = await edge.ctx.db.execute(
    "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM quota_ledger)",
  );
  assert.deepEqual([rows[0]![0], rows[0]![1]], [1, 0]);
  assert.equal(await makeFirstUsers(edge.ctx, edge.door.passwords, admin, DEMONSTRATION), null, "nor later");
});

Deno.test("makeFirstUsers() for a demonstration creates both users, and both can log in", async () => {
  await using edge = await openTestApp();
  const logins = await makeFirstUsers(edge.ctx, edge.door.passwords, admin, DEMONSTRATION);
  assert.deepEqual(logins?.map(({ username, role }) => [username, role]), [["admin", "admin"], [
    "demo",
    "client",
  ]]);
  for (const { username, password, role } of logins!) {
    const answer = await edge.visitor.ask("/api/auth/login", {
      method: "POST",
      json: { username, password },
    });
    assert.equal(answer.status, 200);
    assert.equal((await answer.json()).messageQuota, role === "client" ? DEMO_QUOTA : 0);
  }
  const { rows } = await edge.ctx.db.execute("SELECT kind, delta, balance_after FROM quota_ledger");
  assert.deepEqual(rows.map(({ kind, delta, balance_after }) => [kind, delta, balance_after]), [
    ["grant", DEMO_QUOTA, DEMO_QUOTA],
  ]);
  assert.equal(await makeFirstUsers(edge.ctx, edge.door.passwords, admin), null, "the second start");
});

Deno.test("makeFirstUsers() lets one of several instances create the users, and only that one returns the passwords", async () => {
  await using edge = await openTestApp();
  const made = await Promise.all(
    Array.from({ length: 5 }, () => makeFirstUsers(edge.ctx, edge.door.passwords, admin, DEMONSTRATION)),
  );
  assert.equal(made.filter((logins) => logins !== null).length, 1);
  const [login] = made.find((logins) => logins !== null)!;
  const answer = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: login!.username, password: login!.password },
  });
  assert.equal(answer.status, 200);
  const { rows } = await edge.ctx.db.execute(
    "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM quota_ledger)",
  );
  assert.deepEqual([rows[0]![0], rows[0]![1]], [2, 1]);
});

Deno.test("makeFirstUsers() uses the given password, and a client's name other than the administrator's", async () => {
  await using edge = await openTestApp();
  const logins = await makeFirstUsers(edge.ctx, edge.door.passwords, {
    username: "Demo",
    password: "correct horse",
  }, DEMONSTRATION);
  assert.deepEqual(logins?.map(({ username }) => username), ["Demo", "demo-client"]);
  assert.equal(logins![0]!.password, "correct horse");
});

Deno.test("makeFirstUsers() refuses a commonly guessed password, but not on an installed edge", async () => {
  await using edge = await openTestApp();
  const start = (password: string) => makeFirstUsers(edge.ctx, edge.door.passwords, { ...admin, password });
  for (const password of ["iloveyou", "Shigur2026!", "admin-2026"]) {
    await assert.rejects(start(password), (error) => {
      assert.ok(error instanceof ConfigError && !error.message.includes(password));
      return true;
    });
  }
  assert.equal((await start("correct horse"))?.length, 1);
  assert.equal(await start("iloveyou"), null);
});
