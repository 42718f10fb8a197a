import assert from "node:assert/strict";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { markOf } from "../audit_log/number_mark.ts";
import { ATTEMPTS_WINDOW_MS, MANY_WRONG, MOST_LINES } from "./attempts.ts";

/** Returns the lines for operators, at the log level that they see. */
function linesOf({ logged }: TestApp) {
  return logged.map((line) => JSON.parse(line)).filter(({ level }) => level === "warn");
}

async function draft(person: { ask: TestApp["visitor"]["ask"] }): Promise<number> {
  const body = new FormData();
  for (const [name, value] of [["name", "מבצע"], ["message", "שלום"], ["status", "draft"]] as const) {
    body.append(name, value);
  }
  return (await (await person.ask("/api/campaigns", { method: "POST", body })).json()).id;
}

const FOREIGN = { method: "POST", headers: { origin: "https://attacker.example" } };

Deno.test("requests that none of our pages makes are logged at once, with the caller and the call", async () => {
  await using edge = await openTestApp();
  const [client, other] = [await edge.addPerson(), await edge.addPerson()];
  const theirs = await draft(other);
  await client.ask("/api/users");
  await client.ask("/api/auth/logout", FOREIGN);
  await client.ask(`/api/campaigns/${theirs}/deliveries`);
  await client.ask(`/api/users/${other.id}/ledger`);
  const from = markOf(edge.ctx, "address", "192.0.2.1");
  const lines = linesOf(edge).map(({ at: _, requestId, ...line }) => {
    assert.match(requestId, /^[0-9a-f]{16}$/);
    return line;
  });
  const attempt = { level: "warn", event: "attempt", from, count: 1 };
  assert.deepEqual(lines, [
    { ...attempt, code: "not_allowed", user: client.id, method: "GET", path: "/api/users" },
    { ...attempt, code: "foreign_origin", method: "POST", path: "/api/auth/logout" },
    {
      ...attempt,
      code: "foreign_object",
      user: client.id,
      method: "GET",
      path: `/api/campaigns/${theirs}/deliveries`,
    },
  ], "the second that was another's is counted");
});

Deno.test("a slip, an unknown address and an administrator's look do not count as attempts", async () => {
  await using edge = await openTestApp();
  const [client, admin] = [await edge.addPerson(), await edge.addPerson({ role: "admin" })];
  const own = await draft(client);
  for (const path of [`/api/campaigns/${own}`, "/api/campaigns/999", "/api/campaigns/x"]) {
    await client.ask(path);
  }
  await admin.ask(`/api/campaigns/${own}`);
  await admin.ask("/api/users/999/ledger");
  await edge.visitor.ask("/api/campaigns");
  assert.deepEqual(linesOf(edge), []);
});

Deno.test("wrong input of any kind is logged from one a second on, and then at ten times as much", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const wrong = [
    "/api/campaigns/0543710968",
    "/api/campaigns/972543710968",
    "/api/campaigns/1/deliveries?limit=x",
  ];
  const counts: [number, number][] = [];
  for (let asked = 1; asked <= 10 * MANY_WRONG; asked++) {
    await client.ask(wrong[asked % wrong.length]!);
    const lines = linesOf(edge);
    if (lines.length > counts.length) counts.push([asked, lines.at(-1).count]);
  }
  assert.deepEqual(counts, [[MANY_WRONG, MANY_WRONG], [10 * MANY_WRONG, 10 * MANY_WRONG]]);
  assert.ok(!edge.logged.some((line) => /43710968/.test(line)), "numbers are masked");
  edge.clock.now += ATTEMPTS_WINDOW_MS;
  for (let asked = 1; asked < MANY_WRONG; asked++) await client.ask(wrong[0]!);
  assert.equal(linesOf(edge).length, counts.length, "a minute later the count starts again");
});

Deno.test("attempts write a bounded number of log lines a minute, from any number of callers", async () => {
  await using edge = await openTestApp();
  for (let tries = 0; tries < 1_000; tries++) await edge.visitor.ask("/api/auth/logout", FOREIGN);
  assert.deepEqual(linesOf(edge).map(({ count }) => count), [1, 10, 100, 1_000]);
  edge.logged.length = 0;
  edge.clock.now += ATTEMPTS_WINDOW_MS;
  for (let from = 0; from < 2 * MOST_LINES; from++) {
    await edge.visitor.ask("/api/auth/logout", { ...FOREIGN, address: `198.51.100.${from}` });
  }
  const events = linesOf(edge).map(({ event }) => event);
  assert.deepEqual(events, [...Array(MOST_LINES - 1).fill("attempt"), "attempts_untold"]);
  const text = await (await edge.visitor.ask("/metrics", { address: "127.0.0.1" })).text();
  assert.ok(text.includes(`shigur_refused_total{code="foreign_origin"} ${1_000 + 2 * MOST_LINES}\n`), text);
});
