import assert from "node:assert/strict";
import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  SignJWT,
} from "jose";
import { AGENT_TOKEN_MAX_AGE_MS, agentUnauthorizedSchema } from "shared/agent_protocol.ts";
import { runDueTicks } from "../queue/ticks.ts";
import { openAgentDoor } from "../testing/agent_door.ts";
import { FakeSite } from "../testing/fake_agent.ts";
import { authorizeAgent } from "./authorize.ts";
import { createJoinToken } from "./join_token.ts";
import { revokeSite } from "./revoke_site.ts";

const MAX_S = AGENT_TOKEN_MAX_AGE_MS / 1000;

Deno.test("authorizeAgent() accepts a token once", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const token = await site.sign();
  const uses = await Promise.all(
    Array.from({ length: 5 }, () => authorizeAgent(door.fleet.ctx, `Bearer ${token}`)),
  );
  assert.deepEqual(uses.filter((one) => one !== null), [site.siteId]);
  const other = await door.enroll();
  const [jti, ours] = ["ab".repeat(16), door.fleet.ctx];
  for (const one of [site, other]) {
    assert.equal(
      await authorizeAgent(ours, `Bearer ${await one.sign({ jti })}`),
      one.siteId,
      "of each site once",
    );
  }
});

Deno.test("authorizeAgent() accepts a token once among instances with clocks seconds apart", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const { ctx } = door.fleet;
  const header = `Bearer ${await site.sign()}`;
  assert.equal(await authorizeAgent(ctx, header), site.siteId);
  // It ends in a minute. The instance whose clock is ahead forgets ended tokens; for the other it has not ended.
  door.fleet.pass(64_000);
  await runDueTicks({ ...ctx, now: () => ctx.now() + 2_000 });
  assert.equal(await authorizeAgent({ ...ctx, now: () => ctx.now() - 2_000 }, header), null);
});

Deno.test("authorizeAgent() accepts the two names of the algorithm and no other, for any signing key", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const { ctx } = door.fleet;
  assert.equal(await authorizeAgent(ctx, `Bearer ${await site.sign({}, "Ed25519")}`), site.siteId);
  const x = String((await door.fleet.one("SELECT public_key FROM sites")).public_key);
  for (const [name, token] of Object.entries(await confusedTokens(site, x))) {
    assert.equal(await authorizeAgent(ctx, `Bearer ${token}`), null, name);
  }
});

Deno.test("authorizeAgent() refuses a wrong token without saying what is wrong", async () => {
  await using door = await openAgentDoor();
  const [site, other] = [await door.enroll(), await door.enroll()];
  const now = Math.floor(door.fleet.ctx.now() / 1000);
  const wrong = {
    "another site's name": { sub: String(other.siteId) },
    "no such site": { sub: "999" },
    "no number": { sub: "' OR 1=1" },
    "another audience": { aud: "someone-else" },
    "run out": { iat: now - 120, exp: now - 60 },
    "not yet": { iat: now + 60, exp: now + 120 },
    "lives too long": { exp: now + MAX_S + 60 },
    "made too long ago": { iat: now - MAX_S - 60, exp: now + 60 },
    "no id": { jti: "" },
    "endless id": { jti: "x".repeat(65) },
  };
  for (const [name, claims] of Object.entries(wrong)) {
    assert.equal(await authorizeAgent(door.fleet.ctx, `Bearer ${await site.sign(claims)}`), null, name);
  }
  for (const header of [undefined, "", "Bearer", "Bearer x", "Basic YTpi", `bearer ${await site.sign()}`]) {
    assert.equal(await authorizeAgent(door.fleet.ctx, header), null, header ?? "none");
  }
});

Deno.test("authorizeAgent() refuses a revoked site, and a key that another machine replaced", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const { ctx } = door.fleet;
  const { joinToken } = await createJoinToken(ctx, site.siteId);
  const next = await FakeSite.enroll(site.origin, joinToken, ctx.now);
  assert.equal(await authorizeAgent(ctx, `Bearer ${await site.sign()}`), null);
  assert.equal(await authorizeAgent(ctx, `Bearer ${await next.sign()}`), site.siteId);
  await revokeSite(ctx, site.siteId);
  assert.equal(await authorizeAgent(ctx, `Bearer ${await next.sign()}`), null);
});

Deno.test("agentRoutes() sends its time with every 401, so that a site with a wrong clock can sign again", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const hours = 3 * 3600;
  const now = Math.floor(door.fleet.ctx.now() / 1000);
  for (const path of ["/agent/ws", `/agent/images/${"a".repeat(64)}`]) {
    const token = await site.sign({ iat: now - hours, exp: now - hours + 60 });
    const response = await fetch(`${site.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(response.status, 401);
    const body = agentUnauthorizedSchema.parse(await response.json());
    assert.deepEqual([body.code, body.serverTime], ["agent_not_authorized", door.fleet.ctx.now()]);
  }
});

/** Tokens with correct claims, signed by a public value, by another key, or not at all. */
async function confusedTokens(site: FakeSite, x: string): Promise<Record<string, string>> {
  const [, payload] = (await site.sign()).split(".");
  const claims = JSON.parse(new TextDecoder().decode(base64url.decode(payload!)));
  const sign = (key: CryptoKey | Uint8Array, header: JWTHeaderParameters) =>
    new SignJWT({ ...claims, jti: crypto.randomUUID() }).setProtectedHeader(header).sign(key);
  const unsigned = (alg: string, signature: string) =>
    `${base64url.encode(JSON.stringify({ alg }))}.${payload}.${signature}`;
  const own = await importJWK({ kty: "OKP", crv: "Ed25519", x }, "EdDSA", { extractable: true }) as CryptoKey;
  const p256 = await generateKeyPair("ES256", { extractable: true });
  const foreign = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const text = new TextEncoder();
  const hmac = { alg: "HS256" };
  return {
    "none, unsigned": unsigned("none", ""),
    "none, with a signature": unsigned("none", "AAAA"),
    "HMAC with the public key's bytes": await sign(base64url.decode(x), hmac),
    "HMAC with the public key's text": await sign(text.encode(x), hmac),
    "HMAC with the public key's PEM": await sign(text.encode(await exportSPKI(own)), hmac),
    "another curve": await sign(p256.privateKey, { alg: "ES256" }),
    "another curve, brought along": await sign(p256.privateKey, {
      alg: "ES256",
      jwk: await exportJWK(p256.publicKey),
    }),
    "another's key": await sign(foreign.privateKey, { alg: "EdDSA" }),
    "another's key, brought along": await sign(foreign.privateKey, {
      alg: "EdDSA",
      jwk: await exportJWK(foreign.publicKey),
    }),
  };
}
