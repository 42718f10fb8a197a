import assert from "node:assert/strict";
import { makeKey, openFleet } from "../testing/fleet.ts";
import { createSite } from "./create_site.ts";
import { enrollSite } from "./enroll.ts";
import { createJoinToken, JOIN_TOKEN_MS } from "./join_token.ts";
import { revokeSite } from "./revoke_site.ts";

const RACERS = 1000;

Deno.test(`enrollSite() gives the site to one of ${RACERS} machines that race with its token`, async () => {
  await using fleet = await openFleet();
  const { siteId, joinToken } = await createSite(fleet.ctx, "תל אביב");
  const keys = await Promise.all(Array.from({ length: RACERS }, () => makeKey()));
  const tries = await Promise.allSettled(
    keys.map(({ publicKey }) => enrollSite(fleet.ctx, { joinToken, publicKey })),
  );

  const winners = tries.flatMap((one, index) => one.status === "fulfilled" ? [{ ...one.value, index }] : []);
  assert.equal(winners.length, 1);
  const [{ index, ...response }] = winners;
  assert.deepEqual(response, { siteId, siteName: "תל אביב", serverTime: fleet.ctx.now() });
  assert.equal((await fleet.one("SELECT public_key FROM sites")).public_key, keys[index].publicKey);
  for (const one of tries) if (one.status === "rejected") assert.equal(one.reason.code, "join_token_invalid");
  const counted = await fleet.one(`SELECT (SELECT count(*) FROM sites WHERE public_key IS NOT NULL) AS sites,
    (SELECT count(*) FROM activity WHERE code = 'site_enrolled') AS lines, (SELECT epoch FROM sites) AS epoch`);
  assert.deepEqual(counted, { sites: 1, lines: 1, epoch: 1 });
});

Deno.test("enrollSite() answers the same machine again when its first answer was lost, and no other", async () => {
  await using fleet = await openFleet();
  const { joinToken } = await createSite(fleet.ctx, "תל אביב");
  const { publicKey } = await makeKey();
  const first = await enrollSite(fleet.ctx, { joinToken, publicKey });
  const { epoch } = await fleet.one("SELECT epoch FROM sites");
  assert.deepEqual(await enrollSite(fleet.ctx, { joinToken, publicKey }), first);
  assert.equal((await fleet.one("SELECT epoch FROM sites")).epoch, epoch);
  const other = (await makeKey()).publicKey;
  await assert.rejects(enrollSite(fleet.ctx, { joinToken, publicKey: other }), {
    code: "join_token_invalid",
  });
  await revokeSite(fleet.ctx, first.siteId);
  await assert.rejects(enrollSite(fleet.ctx, { joinToken, publicKey }), { code: "join_token_invalid" });
});

Deno.test("enrollSite() refuses an expired, used, replaced or unknown token or a revoked site, and says which", async () => {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  const { publicKey } = await makeKey();
  const refused = (joinToken: string, error: RegExp, key = publicKey) =>
    assert.rejects(enrollSite(ctx, { joinToken, publicKey: key }), ({ code, body }) => {
      assert.equal(code, "join_token_invalid");
      assert.match(body.error, error);
      return true;
    });
  const first = await createSite(ctx, "א");
  const second = await createJoinToken(ctx, first.siteId);
  await refused(first.joinToken, /לא מוכר/);
  await refused("x".repeat(43), /לא מוכר/);
  fleet.pass(JOIN_TOKEN_MS);
  await refused(second.joinToken, /פג/);
  const third = await createJoinToken(ctx, first.siteId);
  const enrolled = (await makeKey()).publicKey;
  await enrollSite(ctx, { joinToken: third.joinToken, publicKey: enrolled });
  await refused(third.joinToken, /כבר נוצל/);
  const other = await createSite(ctx, "ב");
  await refused(other.joinToken, /רשום באתר אחר/, enrolled);
  await revokeSite(ctx, other.siteId);
  await refused(other.joinToken, /נותק לצמיתות/);
  await assert.rejects(createJoinToken(ctx, other.siteId), { code: "not_found" });
});

Deno.test("enrollSite() ends every other token of its site, so that no second machine takes its place", async () => {
  await using fleet = await openFleet();
  const first = await createSite(fleet.ctx, "תל אביב");
  const second = await createJoinToken(fleet.ctx, first.siteId, { keepOlder: true });
  const [one, two] = [await makeKey(), await makeKey()];
  await enrollSite(fleet.ctx, { joinToken: second.joinToken, publicKey: one.publicKey });
  await assert.rejects(enrollSite(fleet.ctx, { joinToken: first.joinToken, publicKey: two.publicKey }), {
    code: "join_token_invalid",
  });
  assert.equal((await fleet.one("SELECT public_key FROM sites")).public_key, one.publicKey);
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
