/** An edge's address that redirects elsewhere: the agent sends nothing of the site there. */
import assert from "node:assert/strict";
import { exportJWK, generateKeyPair } from "jose";
import { checkEdge } from "../doctor/check_edge.ts";
import { enroll, type Identity } from "./identity.ts";
import { ImageStore } from "./images.ts";
import { TokenSigner } from "./token.ts";

const parts = { now: Date.now, newId: () => crypto.randomUUID() };
const never = new AbortController().signal;

for (const status of [301, 302, 303, 307, 308]) {
  Deno.test(`the agent does not follow a ${status} with its tokens`, async () => {
    const requests: string[] = [];
    await using elsewhere = served((request) => {
      requests.push(`${request.method} ${request.url}`);
      return new Response("ok");
    });
    await using edge = served(() => new Response(null, { status, headers: { location: elsewhere.url } }));
    const agentDir = await Deno.makeTempDir();
    try {
      const joinToken = "j".repeat(43);
      await assert.rejects(enroll({ edgeUrl: edge.url, agentDir, joinToken }), /answered 30\d/);
      const identity = await makeIdentity();
      const images = new ImageStore({
        edgeUrl: edge.url,
        agentDir,
        tokens: new TokenSigner(identity, parts),
        now: parts.now,
      });
      await assert.rejects(images.get("0".repeat(64)), /answered 30\d/);
      const [finding] = await checkEdge({ edgeUrl: edge.url, identity, ...parts }, never);
      assert.equal(finding!.code, "edge_unwell");
      assert.deepEqual(requests, []);
    } finally {
      await Deno.remove(agentDir, { recursive: true });
    }
  });
}

async function makeIdentity(): Promise<Identity> {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  return { siteId: 1, siteName: "חיפה", key: await exportJWK(privateKey) as Identity["key"] };
}

function served(answer: (request: Request) => Response): { url: string } & AsyncDisposable {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}
