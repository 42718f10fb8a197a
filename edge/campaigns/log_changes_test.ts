import assert from "node:assert/strict";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { logCampaignChanges } from "./log_changes.ts";

Deno.test("logCampaignChanges() logs each change of a campaign once, with who and how many and no name", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 10 });
  await logCampaignChanges(edge.ctx);
  const rows = { queued: 3 };
  const campaign = await makeCampaign(edge.ctx, { client: client.id, name: "סוד", status: "ready", rows });
  for (const act of ["send", "pause", "resume", "cancel", "cancel"]) {
    await client.ask(`/api/campaigns/${campaign}/${act}`, { method: "POST" });
  }
  await logCampaignChanges(edge.ctx);
  await logCampaignChanges(edge.ctx);
  const changes = changesOf(edge);
  assert.deepEqual(changes.map(({ change }) => change), ["sent", "paused", "resumed", "cancelled"]);
  for (const { campaign: id, client: owner } of changes) assert.deepEqual([id, owner], [campaign, client.id]);
  assert.equal(changes[1]!.pausedBy, "client");
  assert.deepEqual([changes[0]!.waiting, changes[3]!.cancelled], [3, 3]);
  assert.ok(!edge.logged.some((line) => line.includes("סוד")));
});

Deno.test("logCampaignChanges() of a database that has a past begins with what comes next", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 10 });
  const campaign = await makeCampaign(edge.ctx, { client: client.id, status: "ready", rows: { queued: 1 } });
  await client.ask(`/api/campaigns/${campaign}/send`, { method: "POST" });
  assert.equal(await logCampaignChanges(edge.ctx), 0);
  await client.ask(`/api/campaigns/${campaign}/pause`, { method: "POST" });
  assert.equal(await logCampaignChanges(edge.ctx), 1);
  assert.deepEqual(changesOf(edge).map(({ change }) => change), ["paused"]);
});

function changesOf({ logged }: TestApp) {
  return logged.map((line) => JSON.parse(line)).filter(({ event }) => event === "campaign_changed");
}
