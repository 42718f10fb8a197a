import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import type { Identity } from "./identity.ts";
import { ImageStore } from "./images.ts";
import { TokenSigner } from "./token.ts";

const DAY_MS = 24 * 60 * 60_000;

Deno.test("ImageStore fetches an image once, and keeps it no longer than a week", async () => {
  const [old, next] = ["old", "next"].map((text) => new TextEncoder().encode(text));
  const [oldHash, nextHash] = [hashOf(old!), hashOf(next!)];
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    asked.push(url.slice(-64));
    return new Response(url.endsWith(oldHash) ? old : next);
  });
  const agentDir = await Deno.makeTempDir();
  try {
    let now = Date.now();
    const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const key = await exportJWK(privateKey) as Identity["key"];
    const tokens = new TokenSigner({ siteId: 1, siteName: "חיפה", key }, {
      now: () => now,
      newId: () => "id",
    });
    const edgeUrl = `http://127.0.0.1:${server.addr.port}`;
    const images = new ImageStore({ edgeUrl, agentDir, tokens, now: () => now });
    assert.deepEqual(await Promise.all([images.get(oldHash), images.get(oldHash)]), [old, old]);
    assert.deepEqual(await images.get(oldHash), old);
    assert.deepEqual(asked, [oldHash]);

    now += 8 * DAY_MS;
    await images.get(nextHash);
    assert.deepEqual([...Deno.readDirSync(`${agentDir}/images`)].map(({ name }) => name), [nextHash]);
    assert.deepEqual(await images.get(oldHash), old, "a campaign that goes on has it again");
  } finally {
    await server.shutdown();
    await Deno.remove(agentDir, { recursive: true });
  }
});

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
