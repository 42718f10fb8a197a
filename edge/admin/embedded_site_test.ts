import assert from "node:assert/strict";
import { enrollSite } from "../sites/enroll.ts";
import { makeKey } from "../testing/fleet.ts";
import { openTestApp } from "../testing/test_app.ts";
import { EMBEDDED_SITE_NAME, embeddedSiteToken } from "./embedded_site.ts";

Deno.test("embeddedSiteToken() returns a token for each instance, and its first use ends all of them", async () => {
  await using edge = await openTestApp();
  const { publicKey } = await makeKey();
  const [first, second] = await Promise.all([embeddedSiteToken(edge.ctx), embeddedSiteToken(edge.ctx)]);
  assert.ok(first !== null && second !== null && first !== second);
  const site = await enrollSite(edge.ctx, { joinToken: first, publicKey });
  assert.equal(site.siteName, EMBEDDED_SITE_NAME);
  const other = { joinToken: second, publicKey: (await makeKey()).publicKey };
  await assert.rejects(enrollSite(edge.ctx, other), { code: "join_token_invalid" });
  assert.equal(await embeddedSiteToken(edge.ctx), null);
  const { rows } = await edge.ctx.db.execute("SELECT count(*) AS n FROM sites");
  assert.equal(rows[0]!.n, 1);
});
