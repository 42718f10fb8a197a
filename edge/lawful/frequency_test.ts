import assert from "node:assert/strict";
import { saveSettingsRequestSchema } from "shared/admin_api.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { auditQueue } from "../queue/audit.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, OPT_IN, paste, saveProfile, show } from "../testing/advertising.ts";
import { sendAll } from "../testing/rules.ts";

Deno.test("a campaign shows how many recipients had a message this week, and returns their units", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite();
  const dana = await edge.addPerson({ messageQuota: 10 });
  await saveProfile(dana);
  const send = async (numbers: string) => {
    const { id } = await makeDraft(dana, "marketing");
    await paste(dana, id, numbers, OPT_IN);
    assert.equal((await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" })).status, 200);
    await sendAll(fleet, site);
    return await show(dana, id);
  };
  assert.deepEqual((await send("0540000001\n0540000002")).notices, []);
  const second = await send("0540000001\n0540000002\n0540000003");
  assert.deepEqual([second.counts.skipped, second.counts.sent], [2, 1]);
  assert.deepEqual(second.notices, [{ code: "frequency_capped", count: 2 }]);
  assert.equal((await (await dana.ask("/api/auth/me")).json()).messageQuota, 7, "10 - 2 - 3 + 2");
  const rows = await (await dana.ask(`/api/campaigns/${second.id}/deliveries?state=skipped`)).json();
  assert.deepEqual(rows.items.map(({ reason }: { reason: string }) => reason), [
    "frequency_cap",
    "frequency_cap",
  ]);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("the frequency cap is one in seven days, and bounded", () => {
  assert.equal(DEFAULT_SETTINGS.frequencyCapDays, 7);
  const { frequencyCapDays } = saveSettingsRequestSchema.shape;
  assert.deepEqual(
    [-1, 0, 7, 90, 91, 1.5].map((days) => frequencyCapDays.safeParse(days).success),
    [false, true, true, true, false, false],
  );
});
