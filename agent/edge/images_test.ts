import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import type { Identity } from "./identity.ts";
import { ImageStore } from "./images.ts";
import { TokenSigner } from "./token.ts";

const DAY_MS = 24 * 60 * 60_000;

Deno.test("ImageStore fetches an image once, and keeps it for at most a week", async () => {
  const [old, next] = ["old", "next"].map((text) => new TextEncoder().encode(text));
  const [oldHash, nextHash] = [hashOf(old!), hashOf(next!)];
  await using store = await openStore((url) => url.endsWith(oldHash) ? old! : next!);
  const { images, asked } = store;
  assert.deepEqual(await Promise.all([images.get(oldHash), images.get(oldHash)]), [old, old]);
  assert.deepEqual(await images.get(oldHash), old);
  assert.deepEqual(asked, [oldHash]);

  store.now += 8 * DAY_MS;
  await images.get(nextHash);
  assert.deepEqual(store.kept(), [nextHash]);
  assert.deepEqual(await images.get(oldHash), old, "a campaign that goes on has it again");
});

Deno.test("ImageStore returns only the requested bytes, and fetches damaged ones again", async () => {
  const [right, wrong] = ["right", "wrong"].map((text) => new TextEncoder().encode(text));
  const hash = hashOf(right!);
  const answers = [wrong!, right!, right!];
  await using store = await openStore(() => answers.shift()!);
  await assert.rejects(store.images.get(hash), /its hash is another/);
  assert.deepEqual(await store.images.get(hash), right);
  await Deno.writeFile(`${store.folder}/${hash}`, wrong!);
  assert.deepEqual(await store.images.get(hash), right);
  assert.deepEqual(store.kept(), [hash]);
});

/** Opens a store on an edge that returns the bytes of `bytesOf`. */
async function openStore(bytesOf: (url: string) => Uint8Array<ArrayBuffer>) {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    asked.push(url.slice(-64));
    return new Response(bytesOf(url));
  });
  const agentDir = await Deno.makeTempDir();
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const key = await exportJWK(privateKey) as Identity["key"];
  const edgeUrl = `http://127.0.0.1:${server.addr.port}`;
  const folder = `${agentDir}/images`;
  const now = () => store.now;
  const tokens = new TokenSigner({ siteId: 1, siteName: "חיפה", key }, { now, newId: () => "id" });
  const store = {
    now: Date.now(),
    asked,
    folder,
    images: new ImageStore({ edgeUrl, agentDir, tokens, now }),
    kept: () => [...Deno.readDirSync(folder)].map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(agentDir, { recursive: true });
    },
  };
  return store;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
