import assert from "node:assert/strict";
import { userEffectSchema } from "shared/admin_api.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { PROOF } from "../testing/test_app.ts";

Deno.test("GET /api/admin/users/{id} returns the effect of disabling, and disabling has that effect", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const dana = await house.edge.addPerson({ messageQuota: 20 });
  const site = await fleet.addSite(1);
  const sent = [await sendNew(fleet, 3, dana), await sendNew(fleet, 4, dana)];
  await makeCampaign(fleet.ctx, { client: dana.id, rows: { queued: 5 } });
  const effect = async () => userEffectSchema.parse(await house.read(`/api/admin/users/${dana.id}`));
  assert.deepEqual(await effect(), {
    userId: dana.id,
    runningCampaigns: 2,
    waitingMessages: 7,
    readyCampaigns: 1,
    sessions: 1,
    colleagues: 0,
    lastSeenAt: house.edge.clock.now,
  });
  const disable = (disabled: boolean) =>
    house.admin.ask(`/api/users/${dana.id}`, { method: "PATCH", json: { proof: PROOF, disabled } });
  assert.equal((await disable(true)).status, 200);
  const { runningCampaigns, sessions } = await effect();
  assert.deepEqual([runningCampaigns, sessions], [0, 0]);
  assert.equal(await pull(fleet, site), null);
  for (const { id } of sent) {
    const { status, paused_by } = await fleet.one(`SELECT status, paused_by FROM campaigns WHERE id = ${id}`);
    assert.deepEqual([status, paused_by], ["paused", "admin"]);
  }
  await disable(false);
  assert.equal(await pull(fleet, site), null, "what an administrator paused waits for one");
  assert.equal((await house.admin.ask("/api/admin/users/999")).status, 404);
});
