import assert from "node:assert/strict";
import { AppKeyError, deriveKey, keepAppKey } from "./app_key.ts";

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));

Deno.test("keepAppKey() creates one key for all callers at once, readable only by its owner", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const keys = await Promise.all(Array.from({ length: 8 }, () => keepAppKey(folder, randomBytes)));
    assert.equal(keys[0]!.length, 43);
    assert.equal(new Set(keys).size, 1);
    assert.equal(await keepAppKey(folder, randomBytes), keys[0]);
    assert.equal((await Deno.stat(`${folder}/app_key`)).mode! & 0o777, 0o600);
    assert.deepEqual(Array.from(Deno.readDirSync(folder), (entry) => entry.name), ["app_key"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("keepAppKey() needs no room on the disk where a key is kept", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const key = await keepAppKey(folder, randomBytes);
    const noRoom = () => assert.fail("a draft is written");
    assert.equal(await keepAppKey(folder, noRoom), key);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("keepAppKey() refuses a file that holds no key: too short, empty, or a few characters throughout", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (
      const text of [
        "",
        "short",
        "a".repeat(43),
        `${"0".repeat(64)}\n`,
        "A".repeat(43) + "=",
        "\0".repeat(43),
      ]
    ) {
      await Deno.writeTextFile(`${folder}/app_key`, text);
      await assert.rejects(keepAppKey(folder, randomBytes), AppKeyError, text);
    }
    assert.equal(await Deno.readTextFile(`${folder}/app_key`), "\0".repeat(43), "it is left as it is");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("deriveKey() derives the same key of the same secret, and another of another", async () => {
  async function sign(appKey: string) {
    const key = await deriveKey(appKey, "login-throttle");
    return new Uint8Array(await crypto.subtle.sign("HMAC", key, new Uint8Array(1)));
  }
  assert.deepEqual(await sign("a secret"), await sign("a secret"));
  assert.notDeepEqual(await sign("a secret"), await sign("another secret"));
});
