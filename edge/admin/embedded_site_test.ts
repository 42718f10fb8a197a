import assert from "node:assert/strict";
import { enrollSite } from "../agents/enroll.ts";
import { makeKey } from "../testing/fleet.ts";
import { openTestApp } from "../testing/test_app.ts";
import { EMBEDDED_SITE_NAME, embeddedSiteToken } from "./embedded_site.ts";

Deno.test("embeddedSiteToken() gives a fresh token at each start until a machine has used one", async () => {
  await using edge = await openTestApp();
  const { publicKey } = await makeKey();
  const first = await embeddedSiteToken(edge.ctx);
  const second = await embeddedSiteToken(edge.ctx);
  assert.ok(first !== null && second !== null && first !== second);
  await assert.rejects(enrollSite(edge.ctx, { joinToken: first, publicKey }), { code: "join_token_invalid" });
  const site = await enrollSite(edge.ctx, { joinToken: second, publicKey });
  assert.equal(site.siteName, EMBEDDED_SITE_NAME);
  assert.equal(await embeddedSiteToken(edge.ctx), null);
  const { rows } = await edge.ctx.db.execute("SELECT count(*) AS n FROM sites");
  assert.equal(rows[0]!.n, 1);
});
