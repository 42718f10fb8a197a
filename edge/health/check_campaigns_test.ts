import assert from "node:assert/strict";
import { renewGeneration } from "../sites/generation.ts";
import { takeOutcomes } from "../sites/outcomes.ts";
import { showCampaign } from "../campaigns/view.ts";
import { auditQueue } from "../queue/audit.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { sendCampaign } from "../queue/send.ts";
import { allRows } from "../testing/all_rows.ts";
import { type Fleet, openFleet, outcomesOf } from "../testing/fleet.ts";
import {
  acknowledge,
  pull,
  recalled,
  report,
  reportItems,
  sendNew,
  statusOf,
  take,
} from "../testing/queue_acts.ts";
import { sendAll, setRules } from "../testing/rules.ts";
import { watchCampaigns } from "./check_campaigns.ts";
import { restAccounts } from "./rest_accounts.ts";
import { tripCampaign } from "./trip_campaign.ts";

const MINUTE_MS = 60_000;
const owner = (client: { id: number }) => ({ client: client.id, person: client.id, role: "client" as const });

async function tripOf(fleet: Fleet, campaign: { id: number }): Promise<number | null> {
  const { trip } = await fleet.one(`SELECT trip FROM campaigns WHERE id = ${campaign.id}`);
  return trip === null ? null : Number(trip);
}

async function noticesOf(fleet: Fleet, campaign: { id: number }) {
  const admin = {
    client: 0,
    person: 0,
    username: "",
    role: "admin",
    duty: "owner",
    sessionHash: "",
  } as const;
  return (await showCampaign(fleet.ctx, admin, campaign.id)).notices;
}

Deno.test("checkCampaigns() pauses a failing campaign at the report that shows it, and shows everybody the reason", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 120);
  const site = await fleet.addSite(1);
  await sendAll(fleet, site, { most: 44 });
  await sendAll(fleet, site, { most: 5, outcome: "failed" });
  assert.equal(await statusOf(fleet, campaign), "active", "5 of 49 are too few to say anything");
  await sendAll(fleet, site, { most: 1, outcome: "failed" });
  assert.equal(await statusOf(fleet, campaign), "paused", "6 of 50");
  assert.equal(await pull(fleet, site), null);

  const reason = "12% מההודעות האחרונות נכשלו (6 מתוך 50). כדאי לבדוק את רשימת המספרים.";
  const [notice] = await noticesOf(fleet, campaign);
  assert.deepEqual(notice, {
    code: "paused_by_rule",
    count: 70,
    trip: await tripOf(fleet, campaign),
    reason,
    since: fleet.ctx.now(),
  });
  const alert = await fleet.one("SELECT data FROM events WHERE type = 'alert'");
  assert.match(String(alert.data), /הושהה אוטומטית\. 12%/);
  const event = await fleet.one("SELECT client FROM events WHERE type = 'campaign_paused'");
  assert.equal(event.client, campaign.client.id);
  const audited = await fleet.one("SELECT actor, data FROM audit_log WHERE kind = 'campaign_paused'");
  assert.equal(audited.actor, null);
  assert.deepEqual(JSON.parse(String(audited.data)), {
    trip: notice.trip,
    signal: "failed",
    count: 6,
    sample: 50,
  });
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("resumeCampaign() resumes a breaker's pause only for a caller that names the reason", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  const campaign = await sendNew(fleet, 200);
  const site = await fleet.addSite(1);
  await sendAll(fleet, site, { most: 50, outcome: "failed" });
  const trip = await tripOf(fleet, campaign);
  const resume = (named: number | null) =>
    resumeCampaign(fleet.ctx, owner(campaign.client), campaign.id, named);
  await assert.rejects(resume(null), { code: "reason_not_confirmed", message: /reason/ });
  await assert.rejects(resume(trip! + 1), { code: "reason_not_confirmed" });
  const stranger = { client: 99, person: 99, role: "client" as const };
  await assert.rejects(resumeCampaign(fleet.ctx, stranger, campaign.id, trip), { code: "not_found" });
  assert.equal(await statusOf(fleet, campaign), "paused");

  await resume(trip);
  assert.equal(await statusOf(fleet, campaign), "active");
  const released = await fleet.one("SELECT released_at, released_by FROM breaker_trips");
  assert.deepEqual(released, { released_at: fleet.ctx.now(), released_by: campaign.client.id });
  await sendAll(fleet, site, { most: 49, outcome: "failed" });
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "active", "what was seen does not count again");
  await sendAll(fleet, site, { most: 1, outcome: "failed" });
  assert.equal(await statusOf(fleet, campaign), "paused", "but what comes after does");
  assert.notEqual(await tripOf(fleet, campaign), trip);
});

Deno.test("resumeCampaign() after a person's own pause keeps the window", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 120);
  const site = await fleet.addSite(1);
  await sendAll(fleet, site, { most: 44 });
  await sendAll(fleet, site, { most: 5, outcome: "failed" });
  await pauseCampaign(fleet.ctx, owner(campaign.client), campaign.id);
  await resumeCampaign(fleet.ctx, owner(campaign.client), campaign.id);
  await sendAll(fleet, site, { most: 1, outcome: "failed" });
  assert.equal(await statusOf(fleet, campaign), "paused");
});

Deno.test("watchCampaigns() judges the last outcomes, so that a long good past hides nothing", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { maxMessagesPerDay: 10_000 });
  const campaign = await sendNew(fleet, 1_200);
  const site = await fleet.addSite(1);
  for (let done = 0; done < 800; done += 20) {
    await sendAll(fleet, site, { most: 20 });
    await watchCampaigns(fleet.ctx);
  }
  const { n } = await fleet.one("SELECT count(*) AS n FROM campaign_marks");
  assert.ok(Number(n) <= 12, "marks behind the window are dropped");
  await pauseCampaign(fleet.ctx, owner(campaign.client), campaign.id);
  await watchCampaigns(fleet.ctx);
  await resumeCampaign(fleet.ctx, owner(campaign.client), campaign.id);
  let failed = 0;
  while (await statusOf(fleet, campaign) === "active") {
    failed += await sendAll(fleet, site, { most: 3, outcome: "failed" });
  }
  assert.ok(failed <= 30, `${failed} failed before the pause; of all 800 that is no tenth`);
});

Deno.test("watchCampaigns() pauses for unknown outcomes and for opt-outs", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  const silent = await sendNew(fleet, 100);
  const site = await fleet.addSite(1);
  await sendAll(fleet, site, { most: 47 });
  await sendAll(fleet, site, { most: 3, outcome: "unknown" });
  assert.equal(await statusOf(fleet, silent), "paused");
  const unwelcome = await sendNew(fleet, 100);
  await sendAll(fleet, site, { most: 60 });
  await fleet.ctx.db.execute(`UPDATE campaigns SET opted_out_count = 2 WHERE id = ${unwelcome.id}`);
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, unwelcome), "paused");
  const signals = await fleet.ctx.db.execute("SELECT signal FROM breaker_trips ORDER BY id");
  assert.deepEqual(signals.rows.map((row) => row.signal), ["unknown", "opted_out"]);
});

Deno.test("resolveDeliveries() that opens a finished campaign trips no breaker by outcomes a person has seen", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  const campaign = await sendNew(fleet, 100);
  const [site, large] = [await fleet.addSite(1), await fleet.addSite(20)];
  await sendAll(fleet, site, { most: 40 });
  await watchCampaigns(fleet.ctx);
  await take(fleet, large);
  // The site's journal is lost: its deliveries are unknown, and nothing is left to stop.
  await fleet.reconnect(large);
  const { rows } = await fleet.ctx.db.execute("SELECT id FROM deliveries WHERE state = 'unknown'");
  assert.equal(rows.length, 60);
  assert.equal(await statusOf(fleet, campaign), "completed_with_errors");
  const resend = (ids: number[]) =>
    resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids, as: "resend" });

  await resend([Number(rows[0]!.id)]);
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "active", "59 old ones are no news");
  await sendAll(fleet, site, { most: 1 });
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "completed_with_errors");

  await resend(rows.slice(1).map(({ id }) => Number(id)));
  await sendAll(fleet, site, { most: 49, outcome: "unknown" });
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "active");
  await sendAll(fleet, site, { most: 1, outcome: "unknown" });
  assert.equal(await statusOf(fleet, campaign), "paused", "new ones are");
});

Deno.test("a ban moves a campaign's work once; the second one pauses it", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 30);
  const [one, two, three] = [await fleet.addSite(1), await fleet.addSite(1), await fleet.addSite(1)];
  const ban = async (site: typeof one, how = "banned" as "banned" | "restricted") => {
    const lease = await take(fleet, site);
    await report(fleet, site, lease, "void", { reason: `account_${how}` });
    await fleet.ctx.db.execute(`UPDATE accounts SET state = '${how}' WHERE site = ${site.site}`);
    return lease.items.map((item) => item.phone);
  };
  const left = await ban(one);
  assert.equal(await statusOf(fleet, campaign), "active");
  const lease = await take(fleet, two);
  assert.deepEqual(lease.items.map((item) => item.phone), left, "others take it at once");
  await report(fleet, two, lease, "sent");
  // The app restricts an account for what it sent, just as it bans one.
  await ban(two, "restricted");
  assert.equal(await statusOf(fleet, campaign), "paused");
  assert.equal(await pull(fleet, three), null);
  const [notice] = await noticesOf(fleet, campaign);
  assert.match(notice.reason!, /^שני חשבונות נחסמו או הוגבלו/);
  await resumeCampaign(fleet.ctx, owner(campaign.client), campaign.id, notice.trip);
  await ban(three);
  assert.equal(await statusOf(fleet, campaign), "active", "a person's word begins the count anew");
});

Deno.test("bans reported by one unconfirmed site alone pause no campaign, and its rows continue", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { hourlyPercent: 100 });
  const campaign = await sendNew(fleet, 60);
  const [doubtful, honest] = [await fleet.addSite(14), await fleet.addSite(1)];
  await fleet.ctx.db.execute(`UPDATE accounts SET trusted = 0 WHERE site = ${doubtful.site}`);
  const lease = await take(fleet, doubtful);
  assert.equal(lease.items.length, 40, "its whole day");
  await report(fleet, doubtful, lease, "void", { reason: "account_banned" });
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "active", "fourteen accounts, and one word");
  assert.equal(await pull(fleet, doubtful), null, "it is given nothing more today");
  const moved = await take(fleet, honest);
  assert.deepEqual(
    moved.items.map(({ phone }) => phone),
    lease.items.slice(0, moved.items.length).map(({ phone }) => phone),
  );
  await report(fleet, honest, moved, "void", { reason: "account_banned" });
  assert.equal(await statusOf(fleet, campaign), "paused", "another's word beside it counts");
});

Deno.test("a ban counts for the campaign whose row the account held, at its present lease, and once", async () => {
  await using fleet = await openFleet();
  const [held, other] = [await sendNew(fleet, 2), await sendNew(fleet, 2)];
  const [one, two] = [await fleet.addSite(1), await fleet.addSite(1)];
  const lease = await take(fleet, one, 1);
  const [item] = outcomesOf(lease, "void", { reason: "account_banned" });
  const bans = async () => {
    const { rows } = await fleet.ctx.db.execute("SELECT campaign, account FROM campaign_bans");
    return rows.map((row) => [row.campaign, row.account]);
  };
  const notHeld = lease.campaign === held.id ? other : held;
  await reportItems(fleet, one, [
    { ...item!, campaign: notHeld.id },
    { ...item!, token: "0".repeat(32) },
    { ...item!, campaign: 1_000_000 },
  ]);
  await reportItems(fleet, two, [{ ...item!, account: `${two.devices[0]}/com.whatsapp/0` }]);
  assert.deepEqual(await bans(), [], "nothing was held so");
  // The edge decides by the account that it gave the row to, whatever the site reports.
  await reportItems(fleet, one, [{ ...item!, account: "another/com.whatsapp/0" }]);
  const { id } = await fleet.one(`SELECT id FROM accounts WHERE site = ${one.site}`);
  assert.deepEqual(await bans(), [[lease.campaign, id]]);
  await fleet.ctx.db.execute("DELETE FROM campaign_bans");
  await reportItems(fleet, one, [item!]);
  assert.deepEqual(await bans(), [], "told again after a person let the campaign go on");
});

Deno.test("tripCampaign() takes back offered rows, recalls acknowledged ones, and ignores a paused campaign", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite(1);
  const held = await take(fleet, site, 1);
  assert.ok(await pull(fleet, site, 1));
  const why = { signal: "failed", count: 6, sample: 50 } as const;
  assert.equal(await tripCampaign(fleet.ctx, { id: campaign.id, name: "" }, why), true);
  assert.deepEqual(await fleet.states(campaign.id), ["leased", "queued", "queued"]);
  assert.deepEqual((await recalled(fleet)).map(({ token }) => token), [held.token]);
  const before = await allRows(fleet.ctx.db);
  assert.equal(await tripCampaign(fleet.ctx, { id: campaign.id, name: "" }, why), false);
  assert.deepEqual(await allRows(fleet.ctx.db), before);
});

Deno.test("without autoFailover an account's returned work waits for the account, or for a person", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { autoFailover: false });
  const campaign = await sendNew(fleet, 3);
  const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
  const lose = async () => {
    await report(fleet, site, await take(fleet, site), "void", { reason: "account_logged_out" });
    await fleet.ctx.db.execute(`UPDATE accounts SET state = 'logged_out' WHERE site = ${site.site}`);
  };
  await lose();
  assert.equal(await pull(fleet, other), null);
  assert.deepEqual(
    await fleet.states(campaign.id),
    ["queued", "queued", "queued"],
    "they still count as waiting",
  );
  assert.deepEqual((await noticesOf(fleet, campaign)).map(({ code, count }) => [code, count]), [
    ["waiting_for_account", 3],
  ]);
  await fleet.ctx.db.execute(`UPDATE accounts SET state = 'ok' WHERE site = ${site.site}`);
  await lose();
  await pauseCampaign(fleet.ctx, owner(campaign.client), campaign.id);
  await resumeCampaign(fleet.ctx, owner(campaign.client), campaign.id);
  assert.equal((await pull(fleet, other))?.items.length, 3, "a person let them go elsewhere");
});

Deno.test("without autoFailover an account that works again frees only its own parked work", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { autoFailover: false });
  await sendNew(fleet, 2);
  const sites = [await fleet.addSite(1), await fleet.addSite(1)];
  const leases = [await take(fleet, sites[0]!, 1), await take(fleet, sites[1]!, 1)];
  for (const [no, site] of sites.entries()) {
    await report(fleet, site, leases[no]!, "void", { reason: "account_logged_out" });
  }
  await fleet.ctx.db.execute("UPDATE accounts SET state = 'logged_out'");
  await fleet.ctx.db.execute(`UPDATE accounts SET state = 'ok' WHERE site = ${sites[1]!.site}`);
  assert.deepEqual(
    (await pull(fleet, sites[1]!))?.items.map(({ phone }) => phone),
    leases[1]!.items.map(({ phone }) => phone),
  );
});

async function sendPilot(fleet: Fleet, contacts: number, count: number) {
  const client = await fleet.addClient(contacts);
  const campaign = await fleet.addCampaign(client, contacts);
  await fleet.ctx.db.execute(
    `UPDATE campaigns SET pilot_count = ${count}, pilot_wait_ms = ${
      30 * MINUTE_MS
    } WHERE id = ${campaign.id}`,
  );
  await sendCampaign(fleet.ctx, client, campaign.id);
  return { ...campaign, client };
}

Deno.test("a pilot wave sends the first rows, waits, and releases the rest when all went well", async () => {
  await using fleet = await openFleet();
  const campaign = await sendPilot(fleet, 20, 4);
  const neighbour = await fleet.addClient(2);
  const service = await sendNew(fleet, 1, neighbour);
  const [site, other] = [await fleet.addSite(2), await fleet.addSite(1)];
  const lease = await take(fleet, site);
  assert.deepEqual(lease.items.map((item) => item.phone), campaign.phones.slice(0, 4));
  assert.deepEqual((await noticesOf(fleet, campaign)).map(({ code }) => code), ["pilot_wave"]);
  assert.equal((await take(fleet, other)).campaign, service.id, "others go on beside it");
  await watchCampaigns(fleet.ctx);
  await report(fleet, site, { ...lease, items: lease.items.slice(0, 3) }, "sent");
  await watchCampaigns(fleet.ctx);
  assert.equal(await pull(fleet, site), null, "the wave is not over");
  assert.deepEqual(
    (await noticesOf(fleet, campaign)).map(({ code }) => code),
    ["pilot_wave"],
    "nor does it wait",
  );
  await report(fleet, site, { ...lease, items: lease.items.slice(3) }, "void", { temporary: true });
  fleet.pass(MINUTE_MS);
  const next = await sendNew(fleet, 1, neighbour);
  assert.equal((await take(fleet, other)).campaign, next.id, "nor do they wait for what of it was put off");
  await watchCampaigns(fleet.ctx);
  const until = fleet.ctx.now() + 30 * MINUTE_MS;
  const reason = "עד כה אין כשלים ואין בקשות הסרה.";
  assert.deepEqual(await noticesOf(fleet, campaign), [{ code: "pilot_wait", count: 17, until, reason }]);
  fleet.pass(30 * MINUTE_MS - 1);
  await watchCampaigns(fleet.ctx);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(1);
  await watchCampaigns(fleet.ctx);
  assert.equal(await sendAll(fleet, site), 17);
  assert.equal(await statusOf(fleet, campaign), "completed");
});

Deno.test("a pilot wave leaves its temporary failures to the rest", async () => {
  await using fleet = await openFleet();
  const campaign = await sendPilot(fleet, 5, 4);
  const site = await fleet.addSite(2);
  await report(fleet, site, await take(fleet, { ...site, devices: site.devices.slice(0, 1) }, 1), "void", {
    temporary: true,
  });
  fleet.pass(MINUTE_MS);
  const lease = await pull(fleet, site);
  assert.deepEqual(lease?.items.map((item) => item.phone), campaign.phones.slice(1, 4));
});

Deno.test("a pilot wave that went badly holds back the rest until a person has seen why", async () => {
  await using fleet = await openFleet();
  const campaign = await sendPilot(fleet, 20, 6);
  const site = await fleet.addSite(2);
  const lease = await take(fleet, site);
  await report(fleet, site, { ...lease, items: lease.items.slice(0, 5) }, "sent");
  await report(fleet, site, { ...lease, items: lease.items.slice(5) }, "failed");
  await watchCampaigns(fleet.ctx);
  fleet.pass(30 * MINUTE_MS);
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "paused");
  const trip = await tripOf(fleet, campaign);
  await resumeCampaign(fleet.ctx, owner(campaign.client), campaign.id, trip);
  await watchCampaigns(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "active", "it is not judged by the same wave again");
  assert.equal((await pull(fleet, site))?.items.length, 6);
});

Deno.test("a pilot wave as long as the list has no effect", async () => {
  await using fleet = await openFleet();
  await sendPilot(fleet, 3, 3);
  const site = await fleet.addSite(1);
  const lease = await pull(fleet, site);
  await acknowledge(fleet, site, lease!.token);
  assert.equal((await fleet.one("SELECT pilot_last FROM campaigns")).pilot_last, null);
});

Deno.test("watchCampaigns() and restAccounts() wait until sites have reported to a restored database (rule 17)", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 100);
  const site = await fleet.addSite(1);
  await sendAll(fleet, site, { most: 50 });
  await watchCampaigns(fleet.ctx);
  const lease = await take(fleet, site);
  // The backup was made here: the site has since reported these, and its journal no longer holds them.
  await renewGeneration(fleet.ctx);
  await fleet.reconnect(site);
  assert.ok((await fleet.states(campaign.id)).includes("unknown"));
  await watchCampaigns(fleet.ctx);
  await restAccounts(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "active");

  const { value } = await fleet.one("SELECT value FROM system WHERE key = 'generation'");
  const items = lease.items.map(({ phone, attempt }) => ({
    campaign: campaign.id,
    phone,
    token: lease.token,
    attempt,
    outcome: "sent" as const,
    account: null,
    at: fleet.ctx.now(),
  }));
  await takeOutcomes(fleet.ctx, site, { type: "outcomes", generation: String(value), items, last: true });
  await watchCampaigns(fleet.ctx);
  await restAccounts(fleet.ctx);
  assert.equal(await statusOf(fleet, campaign), "active");
  assert.deepEqual(await fleet.one("SELECT count(*) AS trips FROM breaker_trips"), { trips: 0 });
  assert.ok(await pull(fleet, site));
});
