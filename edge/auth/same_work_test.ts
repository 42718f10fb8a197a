/** Neither the response nor its work shows whether a username exists: the work is counted, not timed. */
import assert from "node:assert/strict";
import { turnOnSecondFactor } from "../testing/second_factor.ts";
import { openTestApp, TEST_PASSWORD, type TestApp } from "../testing/test_app.ts";
import { MAX_TRIES } from "./login_throttle.ts";
import { computePassword } from "./password_task.ts";

interface Work {
  /** Number of passwords compared; then of passwords hashed. */
  verified: number;
  hashed: number;
  /** Round trips to the database, in order. */
  asked: string[];
  answer: unknown[];
}

/** Runs the real parts and counts the calls to them. */
function watch({ door: { passwords }, ctx: { db } }: TestApp) {
  const { verify, hash } = passwords;
  const { execute, batch } = db;
  let work: Omit<Work, "answer"> = { verified: 0, hashed: 0, asked: [] };
  passwords.verify = (...args) => (work.verified++, verify(...args));
  passwords.hash = (...args) => (work.hashed++, hash(...args));
  const sqlOf = (statement: unknown) =>
    typeof statement === "string" ? statement : (statement as { sql: string }).sql;
  db.execute = (statement: unknown, ...rest: []) => {
    work.asked.push(sqlOf(statement));
    return execute.call(db, statement as string, ...rest);
  };
  db.batch = (statements, mode) => {
    work.asked.push(statements.map(sqlOf).join(";"));
    return batch.call(db, statements, mode);
  };
  return async (act: () => Promise<Response>): Promise<Work> => {
    work = { verified: 0, hashed: 0, asked: [] };
    const answer = await act();
    const headers = [...answer.headers].filter(([name]) => name !== "x-request-id");
    return { ...work, answer: [answer.status, headers, await answer.text()] };
  };
}

async function openHouse() {
  const edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const disabled = await edge.addPerson();
  const client = await edge.addPerson();
  const guarded = await edge.addPerson();
  await turnOnSecondFactor(edge, guarded);
  await admin.ask(`/api/users/${disabled.id}`, { method: "PATCH", json: { disabled: true } });
  const seen = watch(edge);
  const logIn = (username: string, password: string, address = "203.0.113.9") =>
    seen(() =>
      edge.visitor.ask("/api/auth/login", { method: "POST", json: { username, password }, address })
    );
  return { edge, client, disabled, guarded, seen, logIn };
}

Deno.test("login() does the same work for an unknown name, a wrong password and a disabled user", async () => {
  const { edge, client, disabled, guarded, logIn } = await openHouse();
  await using _ = edge;
  const unknown = await logIn("nobody", TEST_PASSWORD);
  assert.deepEqual([unknown.verified, unknown.hashed], [1, 0]);
  assert.equal(unknown.asked.length, 2, "it counts the try as it looks the name up, and notes the refusal");
  assert.deepEqual(await logIn(client.username, "wrong password"), unknown);
  assert.deepEqual(await logIn(disabled.username, TEST_PASSWORD), unknown);
  assert.deepEqual(await logIn(disabled.username, "wrong password"), unknown);
  assert.deepEqual(await logIn(guarded.username, "wrong password"), unknown, "nor a second factor");
  const right = await logIn(client.username, TEST_PASSWORD);
  assert.deepEqual([right.verified, right.hashed, (right.answer as number[])[0]], [1, 0, 200]);
});

Deno.test("startLoginTry() refuses an unknown name after the same number of tries, with the same answer", async () => {
  const { edge, client, disabled, logIn } = await openHouse();
  await using _ = edge;
  const lastOf = async (username: string, address: string) => {
    const works: Work[] = [];
    for (let i = 0; i <= MAX_TRIES.pair + 1; i++) {
      works.push(await logIn(username, "wrong password", address));
    }
    return works;
  };
  const unknown = await lastOf("nobody", "203.0.113.1");
  assert.deepEqual(unknown.map(({ answer }) => answer[0]), [...Array(MAX_TRIES.pair).fill(401), 429, 429]);
  assert.equal(unknown.at(-1)!.verified, 0, "what is over the limit costs no hash");
  assert.deepEqual(await lastOf(client.username, "203.0.113.2"), unknown);
  assert.deepEqual(await lastOf(disabled.username, "203.0.113.3"), unknown);
});

Deno.test("changePassword() compares once and counts tries as a login does", async () => {
  const { edge, client, seen, logIn } = await openHouse();
  await using _ = edge;
  const json = { currentPassword: "wrong password", newPassword: "a new password" };
  const change = () =>
    seen(() => client.ask("/api/auth/password", { method: "POST", json, address: "203.0.113.9" }));
  const first = await change();
  assert.deepEqual([first.verified, first.hashed, first.answer[0]], [1, 0, 401], "nothing new is hashed");
  for (let i = 1; i < MAX_TRIES.pair; i++) await change();
  const refused = await change();
  assert.deepEqual([refused.verified, refused.answer[0]], [0, 429]);
  assert.equal((await logIn(client.username, TEST_PASSWORD)).answer[0], 429, "the same tries");
});

Deno.test("computePassword() does the same work for an unknown user", async () => {
  const cost = { memoryKiB: 64, iterations: 3 };
  const hash = String(await computePassword({ kind: "hash", password: "x", cost }));
  assert.match(hash, /^\$argon2id\$v=19\$m=64,t=3,p=1\$/);
  assert.equal(await computePassword({ kind: "verify", password: "x", hash, cost }), true);
  assert.equal(await computePassword({ kind: "verify", password: "x", hash: null, cost }), false);
});
