import assert from "node:assert/strict";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import {
  acknowledge,
  balanceOf,
  pull,
  recalled,
  report,
  sendNew,
  statusOf,
  take,
} from "../testing/queue_acts.ts";
import { countsAndEvents } from "../testing/counts_and_events.ts";
import { auditQueue } from "./audit.ts";
import { cancelCampaign } from "./cancel.ts";
import { clearQueues } from "./clear_queues.ts";
import { flipCancelled } from "./flip_cancelled.ts";
import { pauseCampaign } from "./pause.ts";
import { resumeCampaign } from "./resume.ts";

function owner({ client }: { client: { id: number } }) {
  return { client: client.id, person: client.id, role: "client" as const };
}

async function consistent(fleet: Fleet): Promise<void> {
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
}

Deno.test("cancelCampaign() refunds queued and offered rows at once and recalls acknowledged ones", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 6);
  const site = await fleet.addSite();
  const held = await take(fleet, site, 1);
  const offered = await pull(fleet, site, 1);
  assert.ok(offered);

  assert.deepEqual(await cancelCampaign(fleet.ctx, owner(campaign), campaign.id), {
    status: "cancelled",
    changed: 5,
    recalled: 1,
  });
  assert.equal(await balanceOf(fleet, campaign.client), 5);
  assert.deepEqual(await recalled(fleet), [{
    site: site.site,
    token: held.token,
    phones: [held.items[0].phone],
  }]);
  const { held: counts, sent } = await countsAndEvents(fleet.ctx.db);
  assert.deepEqual(sent, counts, "offered rows settle after the event of the end");
  assert.deepEqual((await acknowledge(fleet, site, offered.token)).items, []);
  await consistent(fleet);

  // Rows that the site gives up are cancelled and refunded, exactly once.
  assert.deepEqual(await report(fleet, site, held, "void"), ["applied"]);
  assert.deepEqual(await report(fleet, site, held, "void"), ["known"]);
  assert.equal(await balanceOf(fleet, campaign.client), 6);
  assert.deepEqual(
    await fleet.one("SELECT state, reason FROM deliveries WHERE site IS NOT NULL ORDER BY id"),
    {
      state: "cancelled",
      reason: "cancelled_by_client",
    },
  );
  await consistent(fleet);
});

Deno.test("cancelCampaign() recalls every delivery of a lease, and resumeCampaign() restores none of them", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4);
  const site = await fleet.addSite(1);
  const held = await take(fleet, site, 3);
  assert.equal(held.items.length, 3);

  await cancelCampaign(fleet.ctx, owner(campaign), campaign.id);
  const [{ phones }] = await recalled(fleet);
  assert.deepEqual(phones.sort(), held.items.map((item) => item.phone).sort());
  await assert.rejects(resumeCampaign(fleet.ctx, owner(campaign), campaign.id), { code: "campaign_state" });
  assert.equal(await statusOf(fleet, campaign), "cancelled");
  await consistent(fleet);
});

Deno.test("cancelCampaign() still accepts a site's report that it had already sent", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const held = await take(fleet, site, 1);
  await cancelCampaign(fleet.ctx, owner(campaign), campaign.id);
  await report(fleet, site, held, "sent");
  assert.equal(await statusOf(fleet, campaign), "cancelled");
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  await consistent(fleet);
});

Deno.test("flipCancelled() writes in slices what cancelCampaign() counted, and changes no quota", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4500);
  await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, campaign.id);
  assert.equal(await balanceOf(fleet, campaign.client), 4500);
  const before = await fleet.one(
    "SELECT queued_count, cancelled_count, (SELECT count(*) FROM quota_ledger) AS n FROM campaigns",
  );
  assert.deepEqual(before, { queued_count: 0, cancelled_count: 4500, n: 3 });

  const slices: number[] = [];
  for (let rows = -1; rows !== 0;) slices.push(rows = await flipCancelled(fleet.ctx));
  assert.deepEqual(slices, [2000, 2000, 500, 0]);
  assert.deepEqual(new Set(await fleet.states(campaign.id)), new Set(["cancelled"]));
  assert.equal((await fleet.one("SELECT reason FROM deliveries")).reason, "cancelled_by_admin");
  const after = await fleet.one(
    "SELECT queued_count, cancelled_count, (SELECT count(*) FROM quota_ledger) AS n FROM campaigns",
  );
  assert.deepEqual(after, before);
  await consistent(fleet);
});

Deno.test("cancelCampaign() acts once when ten requests arrive at once", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 5);
  const cancels = await Promise.allSettled(
    Array.from({ length: 10 }, () => cancelCampaign(fleet.ctx, owner(campaign), campaign.id)),
  );
  assert.equal(cancels.filter((one) => one.status === "fulfilled").length, 1);
  assert.equal(await balanceOf(fleet, campaign.client), 5);
  await consistent(fleet);
});

Deno.test("cancelCampaign(), pauseCampaign() and resumeCampaign() are for the owner and administrators", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 2);
  fleet.pass(1);
  const stranger = {
    client: (await fleet.addClient(0)).id,
    person: (await fleet.addClient(0)).id,
    role: "client" as const,
  };
  for (const act of [cancelCampaign, pauseCampaign, resumeCampaign]) {
    await assert.rejects(act(fleet.ctx, stranger, campaign.id), { code: "not_found" });
  }
  await assert.rejects(resumeCampaign(fleet.ctx, owner(campaign), campaign.id), { code: "campaign_state" });
  assert.equal(await statusOf(fleet, campaign), "processing");
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'campaign_progress'")).n, 0);
});

Deno.test("cancelCampaign() and pauseCampaign() recall each lease of a site by its own token (rule 8)", async () => {
  for (const act of [cancelCampaign, pauseCampaign]) {
    await using fleet = await openFleet();
    const campaign = await sendNew(fleet, 3);
    const [site, other] = [await fleet.addSite(), await fleet.addSite()];
    const leases = [await take(fleet, site, 1), await take(fleet, site, 1), await take(fleet, other, 1)];
    assert.equal((await act(fleet.ctx, owner(campaign), campaign.id)).recalled, 3);
    const sent = (await recalled(fleet)).map(({ token, phones }) => [token, ...phones]);
    assert.deepEqual(sent.sort(), leases.map(({ token, items }) => [token, items[0]!.phone]).sort());
  }
});

Deno.test("pauseCampaign() queues offered rows again, recalls the rest and leases no more", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 4);
  const site = await fleet.addSite();
  const held = await take(fleet, site, 1);
  await pull(fleet, site, 1);

  assert.deepEqual(await pauseCampaign(fleet.ctx, owner(campaign), campaign.id), {
    status: "paused",
    changed: 1,
    recalled: 1,
  });
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "queued", "queued", "queued"]);
  assert.equal(await pull(fleet, site), null);
  await report(fleet, site, held, "void");
  assert.deepEqual(new Set(await fleet.states(campaign.id)), new Set(["queued"]));
  await consistent(fleet);
});

Deno.test("resumeCampaign() returns to active when any row was ever acknowledged, else to processing (processing → active)", async () => {
  await using fleet = await openFleet();
  const [fresh, started] = [await sendNew(fleet, 2), await sendNew(fleet, 2)];
  const site = await fleet.addSite();
  await pauseCampaign(fleet.ctx, owner(fresh), fresh.id);
  await take(fleet, site, 1);
  await pauseCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, started.id);
  assert.equal(
    (await fleet.one(`SELECT paused_by FROM campaigns WHERE id = ${started.id}`)).paused_by,
    "admin",
  );

  assert.equal((await resumeCampaign(fleet.ctx, owner(fresh), fresh.id)).status, "processing");
  assert.equal(
    (await resumeCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, started.id)).status,
    "active",
  );
});

Deno.test("resumeCampaign() lets only administrators resume what an administrator paused", async () => {
  await using fleet = await openFleet();
  const [byAdmin, byRule] = [await sendNew(fleet, 1), await sendNew(fleet, 1)];
  const admin = { client: 0, person: 0, role: "admin" } as const;
  await pauseCampaign(fleet.ctx, admin, byAdmin.id);
  await pauseCampaign(fleet.ctx, admin, byRule.id);
  await fleet.ctx.db.execute(`UPDATE campaigns SET paused_by = 'opt_outs' WHERE id = ${byRule.id}`);
  await assert.rejects(resumeCampaign(fleet.ctx, owner(byAdmin), byAdmin.id), { code: "campaign_state" });
  assert.equal(await statusOf(fleet, byAdmin), "paused");
  await resumeCampaign(fleet.ctx, owner(byRule), byRule.id);
  await resumeCampaign(fleet.ctx, admin, byAdmin.id);
  assert.equal(await statusOf(fleet, byAdmin), "processing");
});

Deno.test("pauseCampaign() lets a campaign end when its last rows are reported sent", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const held = await take(fleet, site);
  await pauseCampaign(fleet.ctx, owner(campaign), campaign.id);
  await report(fleet, site, held, "sent");
  assert.equal(await statusOf(fleet, campaign), "completed");
  assert.equal((await fleet.one("SELECT paused_by FROM campaigns")).paused_by, null);
});

Deno.test("clearQueues() cancels every running and paused campaign and counts what changed at once", async () => {
  await using fleet = await openFleet();
  const [running, paused] = [await sendNew(fleet, 3), await sendNew(fleet, 4)];
  const draft = await fleet.addCampaign(running.client, 2);
  const site = await fleet.addSite();
  await take(fleet, site, 1);
  await pauseCampaign(fleet.ctx, owner(paused), paused.id);

  const cleared = await clearQueues(fleet.ctx, { client: 0, person: 0, role: "admin" });
  assert.deepEqual([cleared.messageQueueCleared, cleared.campaignQueueCleared], [6, 2]);
  assert.equal(
    cleared.message,
    "בוטלו: שני קמפיינים, 6 הודעות. כבר נמסרו לאתרים, ויסתיימו לפי הדיווח שלהם: הודעה אחת.",
  );
  assert.equal(await statusOf(fleet, draft), "ready");
  const again = await clearQueues(fleet.ctx, { client: 0, person: 0, role: "admin" });
  assert.deepEqual([again.messageQueueCleared, again.campaignQueueCleared], [0, 0]);
  assert.equal(again.message, "בוטלו: 0 קמפיינים, 0 הודעות.");
  await consistent(fleet);
});
