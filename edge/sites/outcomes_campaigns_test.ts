import assert from "node:assert/strict";
import { showCampaign } from "../campaigns/view.ts";
import { countsAndEvents } from "../testing/counts_and_events.ts";
import { type Fleet, openFleet, START } from "../testing/fleet.ts";
import { endOf, reportLostTime, restore } from "../testing/lost_time.ts";
import {
  balanceOf,
  pull,
  recalled,
  report,
  reportItems,
  sendNew,
  statusOf,
  take,
} from "../testing/queue_acts.ts";
import { auditQueue } from "../queue/audit.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { flipCancelled } from "../queue/flip_cancelled.ts";
import { sendCampaign } from "../queue/send.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";

Deno.test("renewGeneration() does not reuse the ids of lost campaigns (rule 17)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(2);
  const lost = await fleet.addCampaign(client, 1);
  const site = await fleet.addSite();
  // The backup is older than the campaign.
  await fleet.ctx.db.batch([
    `DELETE FROM deliveries WHERE campaign = ${lost.id}`,
    `DELETE FROM campaigns WHERE id = ${lost.id}`,
    `UPDATE sqlite_sequence SET seq = ${lost.id - 1} WHERE name = 'campaigns'`,
  ], "write");
  await restore(fleet, site);
  const later = await fleet.addCampaign(client, 1);
  await reportLostTime(fleet, site, lost, [{ outcome: "sent" }]);
  assert.deepEqual(await fleet.states(later.id), ["queued"]);
});

Deno.test("takeOutcomes() neither charges nor ends an unsent campaign, also with no row left: its owner does (rule 17)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(5);
  const campaign = await fleet.addCampaign(client, 3);
  const [site, other] = [await fleet.addSite(), await fleet.addSite()];
  await restore(fleet, site, other);
  await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }, { outcome: "sent" }]);
  assert.equal(await statusOf(fleet, campaign), "ready", "its owner may still send the third");
  await reportLostTime(fleet, other, campaign, [{ outcome: "tapping", phone: campaign.phones[2]! }]);
  assert.equal(await statusOf(fleet, campaign), "ready");
  assert.equal(await balanceOf(fleet, client), 5);
  const admin = {
    client: 0,
    person: 0,
    username: "",
    role: "admin",
    duty: "owner",
    sessionHash: "",
  } as const;
  const shown = await showCampaign(fleet.ctx, admin, campaign.id);
  assert.ok(shown.notices.some(({ code, count }) => code === "told_before_sending" && count === 3));
  assert.equal((await fleet.one("SELECT count(*) AS n FROM audit_log WHERE kind = 'campaign_sent'")).n, 0);
  await sendCampaign(fleet.ctx, client, campaign.id);
  assert.equal(await statusOf(fleet, campaign), "completed_with_errors");
  assert.equal(await balanceOf(fleet, client), 2);
  await assert.rejects(sendCampaign(fleet.ctx, client, campaign.id), { code: "campaign_not_ready" });
  assert.equal(await pull(fleet, site), null);

  const about = { ...endOf(campaign, campaign.phones[2]!), token: "c".repeat(32), attempt: 3 };
  await reportItems(fleet, other, [{ ...about, outcome: "sent" }]);
  assert.equal(await statusOf(fleet, campaign), "completed");
  assert.equal(await balanceOf(fleet, client), 2);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("sendCampaign() after a restore leaves out recipients who have the message, and takes units for all (rule 17)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(3);
  const campaign = await fleet.addCampaign(client, 3);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }, { outcome: "tapping" }]);
  await sendCampaign(fleet.ctx, client, campaign.id);
  assert.equal(await balanceOf(fleet, client), 0);
  const lease = await take(fleet, site);
  assert.deepEqual(lease.items.map(({ phone }) => phone), campaign.phones.slice(2));
  await report(fleet, site, lease, "sent");
  assert.equal(await statusOf(fleet, campaign), "completed_with_errors");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("sendCampaign() ends a campaign that a restored database could not charge, once the quota is loaded (rule 17)", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(1);
  const campaign = await fleet.addCampaign(client, 2);
  const site = await fleet.addSite();
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }, { outcome: "sent" }]);
  assert.equal(await statusOf(fleet, campaign), "ready");
  await assert.rejects(sendCampaign(fleet.ctx, client, campaign.id), { code: "quota_short" });
  await fleet.ctx.db.execute({
    sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, ?, 'grant', 1)",
    args: [client.id, START],
  });
  await sendCampaign(fleet.ctx, client, campaign.id);
  assert.equal(await statusOf(fleet, campaign), "completed");
  assert.equal(await balanceOf(fleet, client), 0);
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of an earlier tap makes a row cancelled since unknown, moved already or not (rules 12 and 17)", async (t) => {
  for (const isFlipped of [false, true]) {
    await t.step(isFlipped ? "flipped" : "not flipped", async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 2);
      const [site, other] = [await fleet.addSite(), await fleet.addSite()];
      await restore(fleet, site, other);
      await reportLostTime(fleet, other, campaign, [{ outcome: "void", attempt: 2 }]);
      await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, campaign.id);
      if (isFlipped) await flipCancelled(fleet.ctx);
      await reportLostTime(fleet, site, campaign, [{
        outcome: "tapping",
        attempt: 1,
        token: "b".repeat(32),
      }]);
      await flipCancelled(fleet.ctx);
      assert.deepEqual(await fleet.states(campaign.id), ["unknown", "cancelled"]);
      assert.equal(await balanceOf(fleet, campaign.client), 1);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});

Deno.test("takeOutcomes() of `sent` replaces every state except another site's lease, and charges refunded rows", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const [site, holder] = [await fleet.addSite(), await fleet.addSite()];
  const held = await take(fleet, holder, 1);
  await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, campaign.id);
  assert.equal(await balanceOf(fleet, campaign.client), 2);

  await restore(fleet, site);
  const before = (await recalled(fleet)).length;
  await reportLostTime(fleet, site, campaign, [{ outcome: "sent" }, { outcome: "sent" }]);
  assert.deepEqual((await fleet.states(campaign.id)).slice(0, 2), ["unknown", "sent"]);
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  assert.deepEqual((await recalled(fleet)).slice(before).map(({ token }) => token), [held.token]);
  const { held: counts, sent } = await countsAndEvents(fleet.ctx.db);
  assert.deepEqual(sent, counts);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("takeOutcomes() of a tap without outcome makes a row cancelled or skipped since unknown, and charges it (rule 17)", async (t) => {
  const acts = {
    cancelled: (fleet: Fleet, id: number) =>
      cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, id),
    "cancelled and flipped": async (fleet: Fleet, id: number) => {
      await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, id);
      await flipCancelled(fleet.ctx);
    },
    skipped: (fleet: Fleet) =>
      suppressPhone(fleet.ctx, { phone: "+972540000001", client: 0, source: "test" }),
  };
  for (const [name, act] of Object.entries(acts)) {
    await t.step(name, async () => {
      await using fleet = await openFleet();
      const campaign = await sendNew(fleet, 1);
      const site = await fleet.addSite();
      await restore(fleet, site);
      await act(fleet, campaign.id);
      assert.equal(await balanceOf(fleet, campaign.client), 1);

      await reportLostTime(fleet, site, campaign, [{ outcome: "tapping" }]);
      assert.deepEqual(await fleet.states(campaign.id), ["unknown"]);
      assert.equal(await balanceOf(fleet, campaign.client), 0);
      assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    });
  }
});
