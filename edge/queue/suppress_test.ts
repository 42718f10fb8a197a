import assert from "node:assert/strict";
import { openFleet } from "../testing/fleet.ts";
import { acknowledge, balanceOf, pull, recalled, report, sendNew, take } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import { cancelCampaign } from "./cancel.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";

Deno.test("suppressPhone() skips and refunds waiting rows, without a ledger entry for an unsent campaign (ledger before send)", async () => {
  await using fleet = await openFleet();
  const [mine, other] = [await sendNew(fleet, 2), await sendNew(fleet, 2)];
  const draft = await fleet.addCampaign(mine.client, 2);
  const suppression = { phone: mine.phones[0], client: mine.client.id, source: "test" };

  assert.deepEqual(await suppressPhone(fleet.ctx, suppression), { added: true, skipped: 2, recalled: 0 });
  assert.deepEqual(await fleet.states(mine.id), ["skipped", "queued"]);
  assert.deepEqual(await fleet.states(draft.id), ["skipped", "queued"]);
  assert.deepEqual(await fleet.states(other.id), ["queued", "queued"]);
  // The draft's row held nothing.
  assert.equal(await balanceOf(fleet, mine.client), 1);
  assert.deepEqual(await suppressPhone(fleet.ctx, suppression), { added: false, skipped: 0, recalled: 0 });
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("suppressPhone() takes back offered rows and recalls acknowledged ones (rule 8)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const held = await take(fleet, site, 1);
  const offered = await pull(fleet, site, 1);
  assert.ok(offered);

  await suppressPhone(fleet.ctx, { phone: offered.items[0].phone, client: 0, source: "test" });
  assert.deepEqual((await acknowledge(fleet, site, offered.token)).items, []);
  const result = await suppressPhone(fleet.ctx, { phone: held.items[0].phone, client: 0, source: "test" });
  assert.deepEqual(result, { added: true, skipped: 0, recalled: 1 });
  assert.equal((await recalled(fleet))[0].token, held.token);

  // After the site gives it up, it is queued for a moment, and the next pull skips it.
  await report(fleet, site, held, "void");
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(await fleet.states(campaign.id), ["skipped", "skipped"]);
  assert.equal(await balanceOf(fleet, campaign.client), 2);
});

Deno.test("suppressPhone() refunds no row twice in a campaign that was just cancelled", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  await take(fleet, await fleet.addSite(), 1);
  await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, campaign.id);
  // All rows except the one at its site are counted as cancelled; their state is not written yet.
  await suppressPhone(fleet.ctx, { phone: campaign.phones[2], client: 0, source: "test" });
  assert.equal(await balanceOf(fleet, campaign.client), 2);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});
