import assert from "node:assert/strict";
import { openFactorKeys, openSecret, sealSecret } from "./sealed_secret.ts";

const ctx = { randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
const SECRET = new TextEncoder().encode("12345678901234567890");

Deno.test("sealSecret() returns a value that opens only with the same key, for the same user, unchanged", async () => {
  const key = await openFactorKeys(["an application key"]);
  const sealed = await sealSecret(ctx, key, 7, SECRET);
  assert.deepEqual(await openSecret(await openFactorKeys(["an application key"]), 7, sealed), SECRET);
  assert.notEqual(await sealSecret(ctx, key, 7, SECRET), sealed, "never the same twice");
  const other = await openFactorKeys(["another application key"]);
  const edited = sealed.replace(/.$/, (last) => last === "A" ? "Q" : "A");
  for (const [by, user, text] of [[other, 7, sealed], [key, 8, sealed], [key, 7, edited]] as const) {
    await assert.rejects(openSecret(by, user, text));
  }
});
