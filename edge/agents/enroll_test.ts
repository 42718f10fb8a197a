import assert from "node:assert/strict";
import { makeKey, openFleet } from "../testing/fleet.ts";
import { createSite } from "./create_site.ts";
import { enrollSite } from "./enroll.ts";
import { createJoinToken, JOIN_TOKEN_MS } from "./join_token.ts";
import { revokeSite } from "./revoke_site.ts";

Deno.test("enrollSite() gives the site to one of many who hold its token", async () => {
  await using fleet = await openFleet();
  const { siteId, joinToken } = await createSite(fleet.ctx, "תל אביב");
  const keys = await Promise.all(Array.from({ length: 8 }, () => makeKey()));
  const tries = await Promise.allSettled(
    keys.map(({ publicKey }) => enrollSite(fleet.ctx, { joinToken, publicKey })),
  );

  const winners = tries.flatMap((one, index) => one.status === "fulfilled" ? [{ ...one.value, index }] : []);
  assert.equal(winners.length, 1);
  const [{ index, ...response }] = winners;
  assert.deepEqual(response, { siteId, siteName: "תל אביב", serverTime: fleet.ctx.now() });
  assert.equal((await fleet.one("SELECT public_key FROM sites")).public_key, keys[index].publicKey);
  for (const one of tries) if (one.status === "rejected") assert.equal(one.reason.code, "join_token_invalid");
});

Deno.test("enrollSite() refuses a token that ran out, was replaced, never was, or is of a revoked site", async () => {
  await using fleet = await openFleet();
  const { publicKey } = await makeKey();
  const refused = (joinToken: string) =>
    assert.rejects(enrollSite(fleet.ctx, { joinToken, publicKey }), { code: "join_token_invalid" });
  const first = await createSite(fleet.ctx, "א");
  const second = await createJoinToken(fleet.ctx, first.siteId);
  await refused(first.joinToken);
  await refused("x".repeat(43));
  fleet.pass(JOIN_TOKEN_MS);
  await refused(second.joinToken);
  const third = await createJoinToken(fleet.ctx, first.siteId);
  await revokeSite(fleet.ctx, first.siteId);
  await refused(third.joinToken);
  await assert.rejects(createJoinToken(fleet.ctx, first.siteId), { code: "not_found" });
});

Deno.test("createSite() keeps only the token's hash, of 256 bits, and refuses a name twice", async () => {
  await using fleet = await openFleet();
  const { joinToken } = await createSite(fleet.ctx, "חיפה");
  assert.equal(joinToken.length, 43);
  const { hash } = await fleet.one("SELECT hash FROM join_tokens");
  assert.match(String(hash), /^[0-9a-f]{64}$/);
  assert.ok(!String(hash).includes(joinToken));
  await assert.rejects(createSite(fleet.ctx, "חיפה"), { code: "invalid_input" });
});

Deno.test("enrollSite() of a new machine ends the old one's connection", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const { joinToken } = await createJoinToken(fleet.ctx, site.site);
  await enrollSite(fleet.ctx, { joinToken, publicKey: (await makeKey()).publicKey });
  assert.equal((await fleet.one("SELECT epoch FROM sites")).epoch, site.epoch + 1);
});
