import assert from "node:assert/strict";
import { AGENT_TOKEN_MAX_AGE_MS, agentUnauthorizedSchema } from "shared/agent_protocol.ts";
import { openAgentDoor } from "../testing/agent_door.ts";
import { authorizeAgent } from "./authorize.ts";

const MAX_S = AGENT_TOKEN_MAX_AGE_MS / 1000;

Deno.test("authorizeAgent() takes a token once", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const token = await site.sign();
  const uses = await Promise.all(
    Array.from({ length: 5 }, () => authorizeAgent(door.fleet.ctx, `Bearer ${token}`)),
  );
  assert.deepEqual(uses.filter((one) => one !== null), [site.siteId]);
});

Deno.test("authorizeAgent() takes either name of the algorithm and no other", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  assert.equal(await authorizeAgent(door.fleet.ctx, `Bearer ${await site.sign({}, "Ed25519")}`), site.siteId);
  const [, payload] = (await site.sign()).split(".");
  const header = (alg: string) => btoa(JSON.stringify({ alg })).replaceAll("=", "");
  for (const alg of ["none", "HS256"]) {
    assert.equal(await authorizeAgent(door.fleet.ctx, `Bearer ${header(alg)}.${payload}.AAAA`), null);
  }
});

Deno.test("authorizeAgent() refuses what is wrong with a token, and says nothing of what", async () => {
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

Deno.test("agentRoutes() tells its clock with every 401, so that a site with a wrong one can sign again", async () => {
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
