import assert from "node:assert/strict";
import type { Client, InStatement } from "@libsql/client/web";
import { deliveryStorySchema } from "shared/http_api.ts";
import { auditQueue } from "../queue/audit.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { openFleet } from "../testing/fleet.ts";
import { sendMarketing, setRules } from "../testing/rules.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { takeReplies } from "../opt_out/take_replies.ts";
import { makeDraft, OPT_IN, paste, saveProfile } from "../testing/advertising.ts";
import { tablesThatHold } from "../testing/number_traces.ts";
import { runAllDueTicks } from "../ticks.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { forgetNumbers } from "./forget_numbers.ts";
import { PROOF } from "../testing/test_app.ts";

const DAY_MS = 24 * 60 * 60_000;

Deno.test("forgetNumbers() forgets an ended campaign's numbers after 90 days, and not a day before", async () => {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  const site = await fleet.addSite();
  const ended = await sendNew(fleet, 3);
  for (const outcome of ["failed", "sent", "unknown"] as const) {
    await report(fleet, site, await take(fleet, site, 1), outcome, { reason: "send_not_verified" });
  }
  const running = await sendNew(fleet, 2);
  const states = await fleet.states(ended.id);
  const numbers = async (campaign: number) =>
    (await fleet.one(`SELECT count(*) AS n FROM deliveries WHERE campaign = ${campaign} AND phone > 0`)).n;

  fleet.pass(89 * DAY_MS);
  assert.equal(await forgetNumbers(ctx), 0);
  assert.equal(await numbers(ended.id), 3);
  fleet.pass(2 * DAY_MS);
  while (await forgetNumbers(ctx) > 0);
  assert.deepEqual([await numbers(ended.id), await numbers(running.id)], [0, 2]);
  assert.deepEqual(await fleet.states(ended.id), states);
  assert.deepEqual(await auditQueue(ctx.db), []);
  const trail =
    `SELECT count(*) AS n FROM attempts t JOIN deliveries d ON d.campaign = t.campaign AND d.phone = t.phone
    WHERE t.campaign = ${ended.id}`;
  const all = `SELECT count(*) AS n FROM attempts WHERE campaign = ${ended.id}`;
  assert.deepEqual(await fleet.one(trail), await fleet.one(all));
  const { data } = await fleet.one("SELECT data FROM audit_log WHERE kind = 'numbers_forgotten'");
  assert.equal(data, '{"count":3}');
});

Deno.test("forgetNumbers() follows the set number of days, and keeps a forgotten recipient's history", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const client = await edge.addPerson({ messageQuota: 5 });
  const site = await fleet.addSite();
  const campaign = await sendNew(fleet, 1, client);
  await report(fleet, site, await take(fleet, site, 1), "unknown", { reason: "send_not_verified" });
  const { settings } = await house.read("/api/admin/settings") as { settings: Record<string, unknown> };
  const save = async (retentionDays: number) =>
    (await house.admin.ask("/api/admin/settings", {
      method: "PUT",
      json: { ...settings, retentionDays, proof: PROOF },
    })).status;
  assert.deepEqual([await save(6), await save(3651), await save(7)], [400, 400, 200]);
  edge.clock.now += 8 * DAY_MS;
  while (await forgetNumbers(edge.ctx) > 0);
  const { id } = await fleet.one("SELECT id FROM deliveries");
  const story = deliveryStorySchema.parse(await house.read(`/api/campaigns/${campaign.id}/deliveries/${id}`));
  assert.equal(story.phone, "");
  assert.ok(story.history.some(({ what }) => what === "unknown"));
});

Deno.test("no table holds a sent, failed, unknown, left-out, rejected or answered number after its days", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const { ctx } = edge;
  edge.clock.now = Date.parse("2026-11-24T10:00:00+02:00");
  const site = await fleet.addSite();
  const dana = await edge.addPerson({ messageQuota: 9 });
  await saveProfile(dana);
  const { id } = await makeDraft(dana, "marketing");
  const phones = [1, 2, 3].map((n) => `+97254000000${n}`);
  const [leftOut, rejected] = ["+972540000008", "+97254000000912"];
  await paste(dana, id, phones.join("\n"), OPT_IN);
  await paste(dana, id, `${leftOut}\n${rejected}`);
  assert.equal((await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" })).status, 200);
  for (const outcome of ["failed", "unknown", "sent"] as const) {
    await report(fleet, site, await take(fleet, site, 1), outcome, { reason: "send_not_verified" });
  }
  const account = `${site.devices[0]}/com.whatsapp/0`;
  const reply = { account, decision: "unclear", excerpt: "אולי תסירו אותי", at: ctx.now() } as const;
  await takeReplies(ctx, site, [{ ...reply, id: "1".repeat(32), phone: phones[2]! }]);
  for (const phone of [...phones, leftOut!, rejected!]) {
    assert.notDeepEqual(await tablesThatHold(ctx.db, phone), [], phone);
  }

  for (let day = 0; day < 95; day += 5) {
    edge.clock.now += 5 * DAY_MS;
    await runAllDueTicks(ctx);
    if (day === 80) assert.notDeepEqual(await tablesThatHold(ctx.db, phones[1]!), [], "not a day before");
  }
  for (const phone of [...phones, leftOut!, rejected!]) {
    assert.deepEqual(await tablesThatHold(ctx.db, phone), [], phone);
  }
  assert.deepEqual(await fleet.one("SELECT count(*) AS n FROM replies"), { n: 0 });
});

Deno.test("forgetNumbers() gives resent attempts their delivery's alias, and keeps numbers that the frequency cap counts", async () => {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  await setRules(fleet, { retentionDays: 7, frequencyCapDays: 30, sendingHoursEnforced: false });
  const site = await fleet.addSite();
  const { id, client } = await sendMarketing(fleet, 1);
  await report(fleet, site, await take(fleet, site), "unknown");
  await resolveDeliveries(ctx, client, id, { ids: "all", as: "resend" });
  await report(fleet, site, await take(fleet, site), "sent");
  fleet.pass(8 * DAY_MS);
  while (await forgetNumbers(ctx) > 0);
  assert.deepEqual(
    await fleet.one(
      "SELECT d.phone < 0 AS isAlias, r.phone = d.phone AS isSame FROM deliveries d, resends r",
    ),
    { isAlias: 1, isSame: 1 },
  );
  const heard = async () => (await fleet.one("SELECT count(*) AS n FROM recipients")).n;
  assert.equal(await heard(), 1);
  fleet.pass(23 * DAY_MS);
  while (await forgetNumbers(ctx) > 0);
  assert.equal(await heard(), 0);
});

Deno.test("forgetNumbers() keeps the numbers of a campaign that is sent again just before they would go", async () => {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  const site = await fleet.addSite();
  const { id, client, phones } = await sendNew(fleet, 1);
  await report(fleet, site, await take(fleet, site), "unknown", { reason: "send_not_verified" });
  fleet.pass(91 * DAY_MS);
  const db = {
    protocol: ctx.db.protocol,
    execute: (one: InStatement) => ctx.db.execute(one),
    batch: async (all: InStatement[]) => {
      await resolveDeliveries(ctx, client, id, { ids: "all", as: "resend" });
      return await ctx.db.batch(all, "write");
    },
  } as unknown as Client;
  await forgetNumbers({ ...ctx, db });
  assert.deepEqual((await take(fleet, site)).items.map(({ phone }) => phone), phones);
});

Deno.test("forgetNumbers() leaves a cancelled campaign alone while a site holds rows of it", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const campaign = await sendNew(fleet, 2);
  const lease = await take(fleet, site, 1);
  await cancelCampaign(
    fleet.ctx,
    { client: campaign.client.id, person: campaign.client.id, role: "client" },
    campaign.id,
  );
  fleet.pass(91 * DAY_MS);
  assert.equal(await forgetNumbers(fleet.ctx), 0);
  await report(fleet, site, lease, "sent");
  while (await forgetNumbers(fleet.ctx) > 0);
  const { n } = await fleet.one("SELECT count(*) AS n FROM deliveries WHERE phone > 0");
  assert.equal(n, 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});
