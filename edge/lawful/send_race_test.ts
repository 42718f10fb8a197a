import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { composeMarketing } from "shared/marketing.ts";
import { sendCampaign } from "../queue/send.ts";
import { ADVERTISER, makeDraft, OPT_IN, paste, saveProfile, show } from "../testing/advertising.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";

/** Returns the screen's view of a campaign sent while `act` runs, after its text and advertiser were read. */
async function sentDuring(
  test: TestApp,
  act: (dana: TestPerson, id: number) => Promise<unknown>,
): Promise<string | null> {
  const { ctx } = test;
  const dana = await test.addPerson({ messageQuota: 5 });
  await saveProfile(dana);
  const { id } = await makeDraft(dana, "marketing", "הנוסח הראשון");
  await paste(dana, id, "0540000001", OPT_IN);
  test.clock.now += 1_000;
  let reads = 0;
  const batch: Client["batch"] = async (statements, mode) => {
    const answer = await ctx.db.batch(statements, mode);
    if (mode === "read" && ++reads === 1) await act(dana, id);
    return answer;
  };
  const db = { protocol: ctx.db.protocol, batch } as Client;
  await sendCampaign({ ...ctx, db }, dana, id);
  assert.ok(reads > 1, "they were composed anew");
  return (await show(dana, id)).composed;
}

Deno.test("a text that changes while it is composed is sent as changed", async () => {
  await using test = await openTestApp();
  const composed = await sentDuring(
    test,
    (dana, id) => dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json: { message: "הנוסח השני" } }),
  );
  assert.equal(composed, composeMarketing("הנוסח השני", ADVERTISER));
});

Deno.test("advertiser details that change while the text is composed are the ones that are sent", async () => {
  await using test = await openTestApp();
  const composed = await sentDuring(test, (dana) => saveProfile(dana, { name: "משק חדש" }));
  assert.equal(composed, composeMarketing("הנוסח הראשון", { ...ADVERTISER, name: "משק חדש" }));
});
