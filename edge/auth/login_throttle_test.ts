import assert from "node:assert/strict";
import { openTestApp, TEST_PASSWORD, type TestApp } from "../testing/test_app.ts";
import { forgetLoginTries, MAX_TRIES, THROTTLE_WINDOW_MS, USUAL_PLACE_MS } from "./login_throttle.ts";

const HOME = "192.0.2.1";

function logIn(edge: TestApp, username: string, password: string, address: string): Promise<Response> {
  return edge.visitor.ask("/api/auth/login", { method: "POST", json: { username, password }, address });
}

async function statuses(answers: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

Deno.test("login() checks ten of forty wrong passwords, even when they arrive at once", async () => {
  await using edge = await openTestApp();
  const { username } = await edge.addPerson();
  const tries = Array.from(
    { length: 40 },
    (_, i) => logIn(edge, username, `wrong password ${i}`, "203.0.113.9"),
  );
  assert.deepEqual(await statuses(tries), { 401: MAX_TRIES.pair, 429: 40 - MAX_TRIES.pair });

  const blocked = await logIn(edge, username, TEST_PASSWORD, "203.0.113.9");
  assert.equal(blocked.status, 429);
  assert.equal((await blocked.json()).code, "too_many_attempts");
  assert.equal(Number(blocked.headers.get("retry-after")), THROTTLE_WINDOW_MS / 1000);
  assert.equal((await logIn(edge, username, TEST_PASSWORD, "198.51.100.4")).status, 200, "from elsewhere");

  edge.clock.now += THROTTLE_WINDOW_MS / 2;
  assert.equal((await logIn(edge, username, TEST_PASSWORD, "203.0.113.9")).status, 429);
  edge.clock.now += THROTTLE_WINDOW_MS / 2;
  assert.equal((await logIn(edge, username, TEST_PASSWORD, "203.0.113.9")).status, 200, "after the wait");
});

Deno.test("login() allows no more guesses when only the username or its case changes", async () => {
  await using edge = await openTestApp();
  const { username } = await edge.addPerson({ username: "dana" });
  const cased = ["dana", "DANA", " Dana ", "ｄａｎａ"];
  const tries = Array.from({ length: 12 }, (_, i) => logIn(edge, cased[i % 4]!, "wrong password", HOME));
  assert.deepEqual(await statuses(tries), { 401: 10, 429: 2 });

  const sprayed = Array.from(
    { length: 40 },
    (_, i) => logIn(edge, `nobody-${i}`, "wrong password", "203.0.113.9"),
  );
  assert.deepEqual(await statuses(sprayed), { 401: MAX_TRIES.address, 429: 40 - MAX_TRIES.address });
  assert.equal((await logIn(edge, username, TEST_PASSWORD, "198.51.100.4")).status, 200);
});

Deno.test("login() counts an IPv6 guesser by the network, not by each of its addresses", async () => {
  await using edge = await openTestApp();
  const tries = Array.from(
    { length: 12 },
    (_, i) => logIn(edge, "dana", "wrong password", `2001:db8:1:2::${i}`),
  );
  assert.deepEqual(await statuses(tries), { 401: 10, 429: 2 });
  assert.equal((await logIn(edge, "dana", "wrong password", "2001:db8:1:3::1")).status, 401);
});

Deno.test("login() attempts from many addresses do not lock a user out at their usual address", async () => {
  await using edge = await openTestApp();
  const { username } = await edge.addPerson();
  const botnet: Promise<Response>[] = [];
  for (let i = 0; i < 110; i++) {
    botnet.push(logIn(edge, username, "wrong password", `203.0.113.${i}`));
    // Fewer at once than the hashing queue holds: a full queue refuses too, for another reason.
    if (i % 25 === 24) await Promise.all(botnet);
  }
  assert.deepEqual(await statuses(botnet), { 401: MAX_TRIES.account, 429: 10 });
  assert.equal((await logIn(edge, username, TEST_PASSWORD, "198.51.100.4")).status, 429);
  assert.equal((await logIn(edge, username, TEST_PASSWORD, HOME)).status, 200);

  edge.clock.now += THROTTLE_WINDOW_MS;
  assert.equal((await logIn(edge, username, TEST_PASSWORD, "198.51.100.4")).status, 200);
});

Deno.test("login() does not count a try with the right password, so frequent logins block nobody", async () => {
  await using edge = await openTestApp();
  const { username } = await edge.addPerson();
  for (let i = 0; i < MAX_TRIES.address + 5; i++) {
    assert.equal((await logIn(edge, username, TEST_PASSWORD, HOME)).status, 200);
  }
});

Deno.test("forgetLoginTries() removes expired counts, and usual addresses after thirty days", async () => {
  await using edge = await openTestApp();
  await edge.addPerson();
  await logIn(edge, "dana", "wrong password", HOME);
  const count = async () =>
    Number(
      (await edge.ctx.db.execute("SELECT count(*) AS n FROM login_attempts WHERE failures > 0")).rows[0]!.n,
    );
  const places = async () =>
    Number((await edge.ctx.db.execute("SELECT count(*) AS n FROM login_attempts")).rows[0]!.n);
  await forgetLoginTries(edge.ctx);
  assert.ok(await count() > 0);
  edge.clock.now += THROTTLE_WINDOW_MS;
  await forgetLoginTries(edge.ctx);
  assert.equal(await count(), 0);
  assert.ok(await places() > 0);
  edge.clock.now += USUAL_PLACE_MS;
  await forgetLoginTries(edge.ctx);
  assert.equal(await places(), 0);
});

Deno.test("login_attempts holds neither names nor addresses", async () => {
  await using edge = await openTestApp();
  await logIn(edge, "dana", "wrong password", HOME);
  const { rows } = await edge.ctx.db.execute("SELECT key FROM login_attempts");
  assert.equal(rows.length, 3);
  for (const { key } of rows) assert.match(String(key), /^[0-9a-f]{32}$/);
});
