import assert from "node:assert/strict";
import type { ReplyItem } from "shared/agent_protocol.ts";
import { readAlerts } from "../admin/alerts.ts";
import { renewGeneration } from "../sites/generation.ts";
import { takeOutcomes } from "../sites/outcomes.ts";
import { startSite } from "../sites/start_site.ts";
import { showCampaign } from "../campaigns/view.ts";
import { editAccount } from "../devices/edit_account.ts";
import { auditQueue } from "../queue/audit.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { sendCampaign } from "../queue/send.ts";
import { takeReplies } from "../opt_out/take_replies.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { pull, recalled, report, sendNew, statusOf, take } from "../testing/queue_acts.ts";
import { addStranger, sendAll, setRules } from "../testing/rules.ts";
import { watchCampaigns } from "./check_campaigns.ts";

const MINUTE_MS = 60_000;

/** Returns a fleet without sending hours and warm-up. */
async function openRoomyFleet(): Promise<Fleet> {
  const fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100, warmupEnabled: false });
  return fleet;
}

/** Returns the status a minute later, after the bad news and the ticks. */
async function statusLater(fleet: Fleet, campaign: { id: number }): Promise<string> {
  fleet.pass(MINUTE_MS);
  await watchCampaigns(fleet.ctx);
  return await statusOf(fleet, campaign);
}

async function rests(fleet: Fleet, { site }: TestSite): Promise<boolean> {
  const { why } = await fleet.one(`SELECT unconfirmed_rest AS why FROM sites WHERE id = ${site}`);
  return why !== null;
}

let replies = 0;
function requestOf(fleet: Fleet, site: TestSite, phone: string): ReplyItem {
  return {
    id: String(++replies).padStart(32, "0"),
    phone,
    account: `${site.devices[0]}/com.whatsapp/0`,
    decision: "remove",
    excerpt: "הסר",
    at: fleet.ctx.now(),
  };
}

for (const outcome of ["failed", "unknown"] as const) {
  Deno.test(`checkCampaigns() pauses nothing when one site's unconfirmed accounts report only ${outcome}: they rest`, async () => {
    await using fleet = await openRoomyFleet();
    const campaign = await sendNew(fleet, 200);
    const [honest, stranger] = [await fleet.addSite(1), await addStranger(fleet, 1)];
    await sendAll(fleet, honest, { most: 44 });
    await sendAll(fleet, stranger, { most: 6, outcome });
    assert.equal(await statusLater(fleet, campaign), "active");
    assert.equal(await rests(fleet, stranger), true);
    assert.equal(await pull(fleet, stranger), null, "a bad list goes out through it no more");
    assert.ok(await pull(fleet, honest), "nobody else's work stops");
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  });
}

Deno.test("checkCampaigns() alerts administrators which site's unconfirmed accounts rest, why, and what to do", async () => {
  await using fleet = await openRoomyFleet();
  await sendNew(fleet, 200);
  const [honest, stranger] = [await fleet.addSite(1), await addStranger(fleet, 2)];
  await sendAll(fleet, honest, { most: 43 });
  const [idle, works] = stranger.devices.map((device) => ({ ...stranger, devices: [device] }));
  const held = await take(fleet, idle!, 1);
  await sendAll(fleet, works!, { most: 8, outcome: "failed" });
  assert.deepEqual((await recalled(fleet)).map(({ token }) => token), [held.token]);
  const { items } = await readAlerts(fleet.ctx);
  const alerts = items.filter(({ siteId }) => siteId === stranger.site);
  assert.deepEqual(alerts.map(({ code }) => code), ["unconfirmed_rested"]);
  assert.equal(alerts[0]!.since, fleet.ctx.now());
  assert.match(
    alerts[0]!.message,
    /^אתר 2: חשבונות שאיש לא אישר הופסקו אוטומטית, כי 100% מההודעות האחרונות נכשלו \(8 מתוך 8\)\. .*לאשר.*לנתק/,
  );
  await watchCampaigns(fleet.ctx);
  const alert = await fleet.one(
    "SELECT count(*) AS n, max(site) AS site FROM activity WHERE code = 'unconfirmed_rested'",
  );
  assert.deepEqual(alert, { n: 1, site: stranger.site }, "once");
  const audited = await fleet.one("SELECT site, data FROM audit_log WHERE kind = 'unconfirmed_rested'");
  assert.equal(audited.site, stranger.site);
  assert.deepEqual(JSON.parse(String(audited.data)), { signal: "failed", count: 8, sample: 8 });
});

Deno.test("checkCampaigns() leaves a site's confirmed accounts at work when its others rest", async () => {
  await using fleet = await openRoomyFleet();
  await sendNew(fleet, 200);
  const [honest, stranger] = [await fleet.addSite(1), await addStranger(fleet, 2)];
  await sendAll(fleet, honest, { most: 43 });
  const [confirmed, other] = stranger.devices.map((device) => ({ ...stranger, devices: [device] }));
  await fleet.ctx.db.execute(
    `UPDATE accounts SET confirmed_at = 1 WHERE key LIKE '${confirmed!.devices[0]}/%'`,
  );
  await take(fleet, confirmed!, 1);
  await sendAll(fleet, other!, { most: 8, outcome: "failed" });
  assert.equal(await rests(fleet, stranger), true);
  assert.deepEqual(await recalled(fleet), []);
});

Deno.test("checkCampaigns() pauses nothing for opt-outs that one site's unconfirmed accounts report; the list keeps them", async () => {
  await using fleet = await openRoomyFleet();
  const campaign = await sendNew(fleet, 200);
  const [honest, stranger] = [await fleet.addSite(1), await addStranger(fleet, 1)];
  await sendAll(fleet, stranger, { most: 10 });
  await sendAll(fleet, honest, { most: 50 });
  const requests = campaign.phones.slice(0, 10).map((phone) => requestOf(fleet, stranger, phone));
  await takeReplies(fleet.ctx, stranger, requests);
  assert.equal(await statusLater(fleet, campaign), "active");
  assert.equal(await rests(fleet, stranger), true);
  const { n } = await fleet.one("SELECT count(*) AS n FROM suppressions WHERE source = 'reply'");
  assert.equal(n, 10, "who asks is left alone, whoever tells of it");
  await fleet.ctx.db.execute("DELETE FROM replies");
  assert.equal(await statusLater(fleet, campaign), "active", "also after an erasure of what was answered");
});

Deno.test("checkCampaigns() judges trusted accounts the same beside an honest and a lying unconfirmed site", async () => {
  for (const outcome of ["sent", "failed"] as const) {
    await using fleet = await openRoomyFleet();
    const campaign = await sendNew(fleet, 200);
    const [honest, stranger] = [await fleet.addSite(1), await addStranger(fleet, 1)];
    await sendAll(fleet, stranger, { most: 5, outcome });
    await sendAll(fleet, honest, { most: 39 });
    await sendAll(fleet, honest, { most: 5, outcome: "failed" });
    assert.equal(await statusLater(fleet, campaign), "active", "5 of 49 are too few to say anything");
    await sendAll(fleet, honest, { most: 1, outcome: "failed" });
    assert.equal(await statusOf(fleet, campaign), "paused", outcome);
  }
});

Deno.test("checkCampaigns() judges trusted accounts after a window in which an unconfirmed site lied", async () => {
  await using fleet = await openRoomyFleet();
  await setRules(fleet, { maxMessagesPerDay: 2_000 });
  const campaign = await sendNew(fleet, 700);
  const [honest, stranger] = [await fleet.addSite(3), await addStranger(fleet, 3)];
  await sendAll(fleet, stranger, { most: 40, outcome: "failed" });
  for (let done = 0; done < 400; done += 20) {
    await sendAll(fleet, honest, { most: 20 });
    assert.equal(await statusLater(fleet, campaign), "active");
  }
  let failed = 0;
  while (await statusOf(fleet, campaign) === "active") {
    failed += await sendAll(fleet, honest, { most: 3, outcome: "failed" });
  }
  assert.ok(failed <= 27, `${failed} of the last ${200 + failed} failed before the pause`);
});

Deno.test("checkCampaigns() without any confirmed account rests one site, and pauses when a second reports the same", async () => {
  await using fleet = await openRoomyFleet();
  await setRules(fleet, { unconfirmedPerDay: 200 });
  const campaign = await sendNew(fleet, 300);
  const [one, two] = [await addStranger(fleet, 1), await addStranger(fleet, 1)];
  await sendAll(fleet, two, { most: 60 });
  await sendAll(fleet, one, { most: 30, outcome: "failed" });
  assert.equal(await statusLater(fleet, campaign), "active");
  assert.deepEqual([await rests(fleet, one), await rests(fleet, two)], [true, false]);
  await sendAll(fleet, two, { most: 7, outcome: "failed" });
  assert.equal(await statusLater(fleet, campaign), "paused");
});

Deno.test("checkCampaigns() stops a bad list with a single unconfirmed site, and the client sees what it waits for", async () => {
  await using fleet = await openRoomyFleet();
  const campaign = await sendNew(fleet, 100);
  const only = await addStranger(fleet, 1);
  await sendAll(fleet, only, { most: 40, outcome: "failed" });
  fleet.pass(24 * 60 * MINUTE_MS);
  assert.equal(
    await sendAll(fleet, only, { outcome: "failed" }),
    12,
    "the lease that fills the least sample",
  );
  assert.equal(await statusLater(fleet, campaign), "active");
  await fleet.reconnect(only);
  const admin = {
    client: 0,
    person: 0,
    username: "",
    role: "admin",
    duty: "owner",
    sessionHash: "",
  } as const;
  const { notices } = await showCampaign(fleet.ctx, admin, campaign.id);
  assert.deepEqual(notices.map(({ code, count }) => [code, count]), [["waiting_for_confirmation", 48]]);
  const { rows: accounts } = await fleet.ctx.db.execute("SELECT id FROM accounts");
  for (const { id } of accounts) {
    await editAccount(fleet.ctx, { person: 1, username: "admin" }, Number(id), { confirmed: true });
  }
  assert.equal(await statusLater(fleet, campaign), "paused", "a person vouches for them: the list is bad");
});

Deno.test("restUnconfirmed() leaves confirmed accounts at work, and ends for accounts that are confirmed later", async () => {
  await using fleet = await openRoomyFleet();
  await sendNew(fleet, 200);
  const [honest, mixed] = [await fleet.addSite(1), await addStranger(fleet, 3)];
  const keys = async () =>
    new Set((await pull(fleet, mixed, 1))?.items.map(({ account }) => account.split("/")[0]));
  const [first, second] = mixed.devices;
  await fleet.ctx.db.execute({
    sql: "UPDATE accounts SET confirmed_at = 1 WHERE key LIKE ?",
    args: [`${first}/%`],
  });
  await sendAll(fleet, honest, { most: 44 });
  await sendAll(fleet, { ...mixed, devices: mixed.devices.slice(2) }, { most: 6, outcome: "failed" });
  assert.deepEqual(await keys(), new Set([first]));
  const { id } = await fleet.one(`SELECT id FROM accounts WHERE key LIKE '${second}/%'`);
  await setRules(fleet, { breakerFailedPercent: 100 });
  await editAccount(fleet.ctx, { person: 1, username: "admin" }, Number(id), { confirmed: true });
  assert.deepEqual(await keys(), new Set([first, second]));
});

Deno.test("startSite() lets resting accounts work again, and judges them by later reports", async () => {
  await using fleet = await openRoomyFleet();
  const campaign = await sendNew(fleet, 300);
  const [honest, stranger] = [await fleet.addSite(1), await addStranger(fleet, 1)];
  await sendAll(fleet, honest, { most: 60 });
  await sendAll(fleet, stranger, { most: 10, outcome: "failed" });
  assert.equal(await rests(fleet, stranger), true);
  fleet.pass(MINUTE_MS);
  await startSite(fleet.ctx, stranger.site);
  assert.equal(await statusLater(fleet, campaign), "active");
  assert.equal(await rests(fleet, stranger), false, "what a person has seen does not count again");
  assert.equal(
    await sendAll(fleet, stranger, { most: 10, outcome: "failed" }),
    9,
    "the lease with the seventh of 67",
  );
  assert.equal(await rests(fleet, stranger), true);
  assert.equal(await statusLater(fleet, campaign), "active");
});

Deno.test("a pilot wave that only one site's unconfirmed accounts report as bad releases the rest to others", async () => {
  await using fleet = await openRoomyFleet();
  const client = await fleet.addClient(40);
  const campaign = { ...await fleet.addCampaign(client, 40), client };
  await fleet.ctx.db.execute(
    `UPDATE campaigns SET pilot_count = 6, pilot_wait_ms = ${30 * MINUTE_MS} WHERE id = ${campaign.id}`,
  );
  await sendCampaign(fleet.ctx, client, campaign.id);
  const [honest, stranger] = [await fleet.addSite(2), await addStranger(fleet, 1)];
  const lies = await take(fleet, stranger, 1);
  await report(fleet, honest, await take(fleet, honest), "sent");
  await report(fleet, stranger, lies, "failed");
  assert.equal(await statusLater(fleet, campaign), "active");
  fleet.pass(30 * MINUTE_MS);
  assert.equal(await statusLater(fleet, campaign), "active");
  assert.equal(await rests(fleet, stranger), true);
  assert.ok(await pull(fleet, honest));
});

Deno.test("resumeCampaign() begins a window in which an unconfirmed site's earlier reports hide nothing", async () => {
  await using fleet = await openRoomyFleet();
  const campaign = await sendNew(fleet, 300);
  const [honest, stranger] = [await fleet.addSite(1), await addStranger(fleet, 1)];
  await sendAll(fleet, stranger, { most: 30, outcome: "failed" });
  await sendAll(fleet, honest, { most: 20, outcome: "failed" });
  assert.equal(await statusLater(fleet, campaign), "paused");
  const { trip } = await fleet.one("SELECT trip FROM campaigns");
  await resumeCampaign(
    fleet.ctx,
    { client: campaign.client.id, person: campaign.client.id, role: "client" },
    campaign.id,
    Number(trip),
  );
  fleet.pass(MINUTE_MS);
  await sendAll(fleet, honest, { most: 44 });
  await sendAll(fleet, honest, { most: 6, outcome: "failed" });
  assert.equal(await statusOf(fleet, campaign), "paused");
});

Deno.test("takeOutcomes() after a restore: an unconfirmed account's outcomes of the lost time pause nothing", async () => {
  await using fleet = await openRoomyFleet();
  const campaign = await sendNew(fleet, 200);
  const [honest, stranger] = [await fleet.addSite(2), await addStranger(fleet, 1)];
  await sendAll(fleet, honest, { most: 60 });
  await renewGeneration(fleet.ctx);
  const { value } = await fleet.one("SELECT value FROM system WHERE key = 'generation'");
  const reportUnknown = async (site: TestSite, phones: string[]) => {
    await fleet.reconnect(site);
    await takeOutcomes(fleet.ctx, site, {
      type: "outcomes",
      generation: String(value),
      last: true,
      items: phones.map((phone, no) => ({
        campaign: campaign.id,
        phone,
        token: no.toString(16).padStart(32, "0"),
        attempt: 1,
        outcome: "unknown" as const,
        account: null,
        at: fleet.ctx.now(),
      })),
    });
  };
  await reportUnknown(honest, []);
  await reportUnknown(stranger, campaign.phones.slice(100, 130));
  assert.equal((await fleet.states(campaign.id)).filter((state) => state === "unknown").length, 30);
  assert.equal(await statusLater(fleet, campaign), "active");
  assert.equal(await rests(fleet, stranger), true);
});
