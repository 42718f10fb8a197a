import assert from "node:assert/strict";
import { openAgentDoor } from "../testing/agent_door.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import type { FakeSite } from "../testing/fake_agent.ts";

async function get(site: FakeSite, sha256: string): Promise<Response> {
  const headers = { authorization: `Bearer ${await site.sign()}` };
  return await fetch(`${site.origin}/agent/images/${sha256}`, { headers });
}

Deno.test("GET /agent/images serves a site only the images of rows it holds", async () => {
  await using door = await openAgentDoor();
  const { fleet } = door;
  const [holder, other] = [await door.enroll(), await door.enroll()];
  const sha256 = "ab".repeat(32);
  const bytes = new Uint8Array([1, 2, 3]);
  await fleet.ctx.db.execute({
    sql:
      "INSERT INTO images (sha256, media_type, bytes, width, height, created_at) VALUES (?, 'image/png', ?, 1, 1, 0)",
    args: [sha256, bytes],
  });
  const campaign = await sendNew(fleet, 1);
  await fleet.ctx.db.execute({
    sql: "UPDATE campaigns SET image = ? WHERE id = ?",
    args: [sha256, campaign.id],
  });
  const site = await fleet.addSite();
  // The machine of `holder` is the site that owns these phones.
  await fleet.ctx.db.execute(`UPDATE devices SET site = ${holder.siteId}`);
  await fleet.ctx.db.execute(`UPDATE accounts SET site = ${holder.siteId}`);
  const acting = { ...site, site: holder.siteId };
  await fleet.reconnect(acting);

  assert.equal(await statusOf(holder, sha256), 404);
  const lease = await take(fleet, acting);
  assert.equal(lease.image, sha256);
  const response = await get(holder, sha256);
  assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/png"]);
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
  assert.equal(await statusOf(other, sha256), 404);
  assert.equal(await statusOf(holder, "cd".repeat(32)), 404);
  await report(fleet, acting, lease, "sent");
  assert.equal(await statusOf(holder, sha256), 404);
});

async function statusOf(site: FakeSite, sha256: string): Promise<number> {
  const response = await get(site, sha256);
  await response.body?.cancel();
  return response.status;
}
