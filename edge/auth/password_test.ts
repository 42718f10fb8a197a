import assert from "node:assert/strict";
import { HttpError } from "../http/http_error.ts";
import { openPasswords } from "./password.ts";

const CHEAP = { memoryKiB: 8, iterations: 1 };

Deno.test({
  name: "openPasswords() hashes in a Worker with argon2id at OWASP's cost, and verifies its own hash",
  sanitizeResources: true,
  sanitizeOps: true,
  async fn() {
    const passwords = openPasswords();
    try {
      const hash = await passwords.hash("סיסמה ארוכה");
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      assert.equal(await passwords.verify(hash, "סיסמה ארוכה"), true);
      assert.equal(await passwords.verify(hash, "סיסמה אחרת"), false);
      assert.equal(await passwords.verify(null, "סיסמה ארוכה"), false);
    } finally {
      passwords.close();
    }
  },
});

Deno.test("openPasswords() does the same inline, and salts each hash", async () => {
  const passwords = openPasswords({ inline: true, cost: CHEAP });
  const [one, two] = await Promise.all([passwords.hash("12345678"), passwords.hash("12345678")]);
  assert.notEqual(one, two);
  assert.equal(await passwords.verify(one, "12345678"), true);
});

Deno.test("openPasswords() continues after an invalid hash", async () => {
  for (const inline of [true, false]) {
    const passwords = openPasswords({ inline, cost: CHEAP });
    await assert.rejects(passwords.verify("not a hash", "12345678"));
    assert.equal(await passwords.verify(null, "12345678"), false);
    passwords.close();
  }
});

Deno.test("openPasswords() refuses the fifty-first unknown caller with a time to retry", async () => {
  const passwords = openPasswords({ inline: true, cost: CHEAP });
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, () => passwords.verify(null, "12345678")),
  );
  const refused = results.filter((result) => result.status === "rejected").map((result) => result.reason);
  assert.equal(refused.length, 10);
  for (const error of refused) {
    assert.ok(error instanceof HttpError && error.code === "too_many_attempts");
    assert.equal(error.headers["retry-after"], "5");
  }
  assert.match(await passwords.hash("12345678"), /^\$argon2id\$/);
});

Deno.test("openPasswords() has room for known users when unknown callers have filled the queue", async () => {
  const passwords = openPasswords({ inline: true, cost: CHEAP });
  const hash = await passwords.hash("12345678");
  const strangers = Array.from({ length: 60 }, () => passwords.verify(null, "guess"));
  const known = Array.from({ length: 12 }, () => passwords.verify(hash, "12345678", { isKnown: true }));
  const results = await Promise.allSettled(known);
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 10);
  await Promise.allSettled(strangers);
});

Deno.test("openPasswords() keeps a Worker only while work waits", async () => {
  const { Worker } = globalThis;
  let alive = 0;
  let started = 0;
  globalThis.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      alive += 1;
      started += 1;
    }
    override terminate(): void {
      alive -= 1;
      super.terminate();
    }
  };
  try {
    const passwords = openPasswords({ cost: CHEAP });
    const hashes = await Promise.all(["12345678", "23456789"].map((password) => passwords.hash(password)));
    assert.deepEqual({ alive, started }, { alive: 0, started: 1 }, "one for all that waited");
    assert.equal(await passwords.verify(hashes[1]!, "23456789"), true);
    assert.deepEqual({ alive, started }, { alive: 0, started: 2 });
  } finally {
    globalThis.Worker = Worker;
  }
});
