import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import { HttpError } from "../http/http_error.ts";
import { openFleet } from "../testing/fleet.ts";
import type { Fleet, TestSite } from "../testing/fleet.ts";
import { reportLostTime, restore } from "../testing/lost_time.ts";
import { acknowledge, balanceOf, pull, report, statusOf, take } from "../testing/queue_acts.ts";
import { sendMarketing, setRules } from "../testing/rules.ts";
import { waiveHours } from "../campaigns/hours_waiver.ts";
import { takeOutImport } from "../contacts/take_out_import.ts";
import { execute, query } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { auditQueue } from "./audit.ts";
import { cancelCampaign } from "./cancel.ts";
import { pauseCampaign } from "./pause.ts";
import { resumeCampaign } from "./resume.ts";
import { sendCampaign } from "./send.ts";
import { startSends } from "./start_sends.ts";
import { takeBackSend } from "./take_back.ts";
import { runDueTicks } from "./ticks.ts";
import { LEASE_TTL_MS } from "shared/lease.ts";

const delaySeconds = 10;

async function sendWithWait(fleet: Fleet, contacts = 3, quota = 10) {
  const client = await fleet.addClient(quota);
  const campaign = await fleet.addCampaign(client, contacts);
  await sendCampaign(fleet.ctx, client, campaign.id, { delaySeconds });
  return { ...campaign, client: { ...client, role: "client" as const } };
}

async function codeOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(() => assert.fail("was not refused"), (error) => error);
  assert.ok(error instanceof HttpError, String(error));
  return error.code;
}

async function entriesOf(fleet: Fleet): Promise<[string, number][]> {
  const { rows } = await fleet.ctx.db.execute("SELECT kind, delta FROM quota_ledger ORDER BY id");
  return rows.slice(1).map(({ kind, delta }) => [String(kind), Number(delta)]);
}

async function workEvents(fleet: Fleet): Promise<number> {
  return Number((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'workWaiting'")).n);
}

async function isAudited(fleet: Fleet): Promise<void> {
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
}

Deno.test("sendCampaign() with a wait takes the quota at once and leases nothing until its time has come", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const { id, client } = await sendWithWait(fleet);
  assert.equal(await statusOf(fleet, { id }), "processing");
  assert.equal(await balanceOf(fleet, client), 7);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(9_999);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(1);
  assert.equal((await pull(fleet, site))?.items.length, 3);
  await isAudited(fleet);
});

Deno.test("takeBackSend() makes the campaign ready again, returns its units and clears what the send fixed", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(10);
  const { id } = await fleet.addCampaign(client, 4);
  await fleet.ctx.db.execute(
    `UPDATE campaigns SET kind = 'marketing', pilot_count = 2, pilot_wait_ms = 60000`,
  );
  await fleet.ctx.db.execute({
    sql: `INSERT INTO advertisers (client, name, address, contact_phone, contact_email, updated_at)
      VALUES (?, 'משק', '', '04-601-0042', '', 1)`,
    args: [client.id],
  });
  await sendCampaign(fleet.ctx, client, id, { delaySeconds });
  fleet.pass(5_000);
  assert.deepEqual(await takeBackSend(fleet.ctx, client, id), { status: "ready", remainingQuota: 10 });
  assert.deepEqual(
    await fleet.one(
      `SELECT status, reserved, sent_text, send_at, starts_at, pilot_last, pilot_until, pilot_count,
      queued_count FROM campaigns`,
    ),
    {
      status: "ready",
      reserved: 0,
      sent_text: null,
      send_at: null,
      starts_at: null,
      pilot_last: null,
      pilot_until: null,
      pilot_count: 2,
      queued_count: 4,
    },
  );
  assert.deepEqual(await entriesOf(fleet), [["reserve", -4], ["release", 4]]);
  const audited = await fleet.one(
    "SELECT kind, actor, campaign, data FROM audit_log ORDER BY id DESC LIMIT 1",
  );
  assert.deepEqual({ ...audited, data: JSON.parse(String(audited.data)) }, {
    kind: "campaign_taken_back",
    actor: client.id,
    campaign: id,
    data: { messages: 4 },
  });
  assert.equal(
    (await fleet.one("SELECT code FROM activity ORDER BY id DESC LIMIT 1")).code,
    "campaign_taken_back",
  );
  const event = await fleet.one("SELECT type, data FROM events WHERE campaign = 1 ORDER BY id DESC LIMIT 1");
  assert.equal(JSON.parse(String(event.data)).status, "ready");
  await isAudited(fleet);
});

Deno.test("a campaign that was taken back is sent again and charged once", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const { id, client } = await sendWithWait(fleet);
  await takeBackSend(fleet.ctx, client, id);
  await fleet.ctx.db.execute("UPDATE campaigns SET message = 'מילים אחרות'");
  fleet.pass(60_000);
  assert.equal(await pull(fleet, site), null);
  await sendCampaign(fleet.ctx, client, id);
  const lease = await pull(fleet, site);
  assert.deepEqual([lease?.text, lease?.items.length], ["מילים אחרות", 3]);
  assert.deepEqual(await entriesOf(fleet), [["reserve", -3], ["release", 3], ["reserve", -3]]);
  await isAudited(fleet);
});

Deno.test("takeBackSend() refuses once a delivery was leased, also after its offer came back", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const { id, client } = await sendWithWait(fleet);
  fleet.pass(10_000);
  const lease = await pull(fleet, site, 1);
  assert.equal(await codeOf(takeBackSend(fleet.ctx, client, id)), "send_began");
  fleet.pass(LEASE_TTL_MS + 1);
  await runDueTicks(fleet.ctx);
  assert.deepEqual(new Set(await fleet.states(id)), new Set(["queued"]));
  assert.equal(await codeOf(takeBackSend(fleet.ctx, client, id)), "send_began");
  const again = await pull(fleet, site);
  await acknowledge(fleet, site, again!.token);
  await report(fleet, site, again!, "sent");
  assert.equal(lease?.items.length, 1);
  assert.equal(await codeOf(takeBackSend(fleet.ctx, client, id)), "campaign_state");
  assert.equal(await statusOf(fleet, { id }), "completed");
  await isAudited(fleet);
});

Deno.test("takeBackSend() still takes back after its time while nothing was leased", async () => {
  await using fleet = await openFleet();
  const { id, client } = await sendWithWait(fleet);
  fleet.pass(3_600_000);
  await startSends(fleet.ctx);
  assert.equal((await takeBackSend(fleet.ctx, client, id)).status, "ready");
  await isAudited(fleet);
});

Deno.test("takeBackSend() refuses a send without a wait, a cancelled one, and another client's", async () => {
  await using fleet = await openFleet();
  const client = await fleet.addClient(10);
  const other = await fleet.addClient(10);
  const { id } = await fleet.addCampaign(client, 2);
  assert.equal(await codeOf(takeBackSend(fleet.ctx, client, id)), "campaign_state");
  await sendCampaign(fleet.ctx, client, id);
  assert.equal(await codeOf(takeBackSend(fleet.ctx, client, id)), "campaign_state");
  assert.equal(await codeOf(takeBackSend(fleet.ctx, other, id)), "not_found");
  const waiting = await fleet.addCampaign(client, 2);
  await sendCampaign(fleet.ctx, client, waiting.id, { delaySeconds });
  assert.equal(await codeOf(takeBackSend(fleet.ctx, other, waiting.id)), "not_found");
  await cancelCampaign(fleet.ctx, { ...client, role: "client" }, waiting.id);
  assert.equal(await codeOf(takeBackSend(fleet.ctx, client, waiting.id)), "campaign_state");
  assert.equal(await balanceOf(fleet, client), 8);
  await isAudited(fleet);
});

Deno.test("of a taking back, a cancelling and a second taking back at once, exactly one is done", async () => {
  await using fleet = await openFleet();
  const { id, client } = await sendWithWait(fleet);
  const done = await Promise.allSettled([
    takeBackSend(fleet.ctx, client, id),
    cancelCampaign(fleet.ctx, client, id),
    takeBackSend(fleet.ctx, client, id),
  ]);
  assert.equal(done.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal(await balanceOf(fleet, client), 10);
  await isAudited(fleet);
});

Deno.test("takeBackSend() takes back what the client paused, and not what an administrator paused", async () => {
  await using fleet = await openFleet();
  const own = await sendWithWait(fleet);
  await pauseCampaign(fleet.ctx, own.client, own.id);
  assert.equal((await takeBackSend(fleet.ctx, own.client, own.id)).status, "ready");
  assert.equal((await fleet.one(`SELECT paused_by FROM campaigns WHERE id = ${own.id}`)).paused_by, null);

  const held = await sendWithWait(fleet);
  await pauseCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, held.id);
  assert.equal(await codeOf(takeBackSend(fleet.ctx, held.client, held.id)), "campaign_state");
  await isAudited(fleet);
});

Deno.test("a campaign paused and resumed within its wait still waits for its time", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const { id, client } = await sendWithWait(fleet);
  await pauseCampaign(fleet.ctx, client, id);
  fleet.pass(1_000);
  await resumeCampaign(fleet.ctx, client, id);
  assert.equal(await pull(fleet, site), null);
  fleet.pass(9_000);
  assert.equal((await pull(fleet, site))?.items.length, 3);
});

Deno.test("takeBackSend() evens out the refund of a person who asked to be removed during the wait", async () => {
  await using fleet = await openFleet();
  const { id, client, phones } = await sendWithWait(fleet, 4, 4);
  await suppressPhone(fleet.ctx, { phone: phones[1]!, client: client.id, source: "manual" });
  assert.equal(await balanceOf(fleet, client), 1);
  assert.equal((await takeBackSend(fleet.ctx, client, id)).remainingQuota, 4);
  assert.deepEqual(await entriesOf(fleet), [["reserve", -4], ["refund", 1], ["release", 4], ["refund", -1]]);
  await isAudited(fleet);
  await sendCampaign(fleet.ctx, client, id, { delaySeconds });
  assert.equal(await balanceOf(fleet, client), 1);
  await isAudited(fleet);
  await takeBackSend(fleet.ctx, client, id);
  assert.equal(await balanceOf(fleet, client), 4);
  await isAudited(fleet);
});

Deno.test("a campaign whose people were all removed during its wait ends by itself", async () => {
  await using fleet = await openFleet();
  const { id, client, phones } = await sendWithWait(fleet, 1);
  await suppressPhone(fleet.ctx, { phone: phones[0]!, client: client.id, source: "manual" });
  assert.equal(await statusOf(fleet, { id }), "failed");
  assert.equal(await codeOf(takeBackSend(fleet.ctx, client, id)), "campaign_state");
  assert.equal(await balanceOf(fleet, client), 10);
  await isAudited(fleet);
});

Deno.test("acknowledgeLease() confirms nothing of an offer that an edge with a fast clock made before the start", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  await sendWithWait(fleet);
  const ahead = { ...fleet.ctx, now: () => fleet.ctx.now() + 10_000 };
  const lease = await pull({ ...fleet, ctx: ahead }, site);
  assert.equal(lease?.items.length, 3);
  assert.deepEqual((await acknowledge(fleet, site, lease!.token)).items, []);
  fleet.pass(10_000);
  assert.equal((await acknowledge(fleet, site, lease!.token)).items.length, 3);
});

Deno.test("start_sends tells the sites once when the time comes, whichever edge looks first", async () => {
  await using fleet = await openFleet();
  const { id } = await sendWithWait(fleet);
  assert.equal(await workEvents(fleet), 0);
  fleet.pass(9_999);
  await runDueTicks(fleet.ctx);
  assert.equal(await workEvents(fleet), 0);
  fleet.pass(1_001);
  // A second edge, or the same one after its restart.
  await Promise.all([runDueTicks(fleet.ctx), runDueTicks({ ...fleet.ctx })]);
  assert.equal(await workEvents(fleet), 1);
  const screens = `SELECT count(*) AS n FROM events WHERE type = 'campaign_changed' AND campaign = ${id}
    AND at = ${fleet.ctx.now()}`;
  assert.equal((await fleet.one(screens)).n, 1);
  fleet.pass(5_000);
  await runDueTicks(fleet.ctx);
  assert.equal(await workEvents(fleet), 1);
});

Deno.test("start_sends tells nobody of a campaign that was taken back or paused", async () => {
  await using fleet = await openFleet();
  const back = await sendWithWait(fleet);
  const paused = await sendWithWait(fleet);
  await takeBackSend(fleet.ctx, back.client, back.id);
  await pauseCampaign(fleet.ctx, paused.client, paused.id);
  fleet.pass(20_000);
  assert.equal(await startSends(fleet.ctx), 0);
  assert.equal(await workEvents(fleet), 0);
});

Deno.test("takeBackSend() refuses what a site sent in the time that a restored database lost", async () => {
  for (const outcome of ["sent", "unknown", "tapping"] as const) {
    await using fleet = await openFleet();
    const site = await fleet.addSite();
    const campaign = await sendWithWait(fleet);
    await restore(fleet, site);
    await reportLostTime(fleet, site, campaign, [{ outcome }]);
    assert.equal(await codeOf(takeBackSend(fleet.ctx, campaign.client, campaign.id)), "send_began", outcome);
    await isAudited(fleet);
  }
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const campaign = await sendWithWait(fleet);
  await restore(fleet, site);
  await reportLostTime(fleet, site, campaign, [{ outcome: "void" }]);
  await takeBackSend(fleet.ctx, campaign.client, campaign.id);
  assert.equal(await statusOf(fleet, campaign), "ready", "nobody has a message that a site gave back");
});

Deno.test("the database refuses that a campaign with a lease becomes ready, by whatever writer (I2)", async () => {
  await using fleet = await openFleet();
  const site: TestSite = await fleet.addSite();
  const { id } = await sendWithWait(fleet);
  fleet.pass(10_000);
  await pull(fleet, site, 1);
  const back = "status = 'ready', reserved = 0, sent_text = NULL, starts_at = NULL";
  await assert.rejects(
    fleet.ctx.db.execute(`UPDATE campaigns SET ${back} WHERE id = ${id}`),
    /illegal return/,
  );
});

Deno.test("takeBackSend() waits, after a restore, until every site has reported the lost time", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const campaign = await sendWithWait(fleet);
  await restore(fleet, site);
  const error = await takeBackSend(fleet.ctx, campaign.client, campaign.id).catch((error) => error);
  assert.deepEqual([error.code, /שוחזרה מגיבוי/.test(error.body.error)], ["campaign_state", true]);
  await reportLostTime(fleet, site, campaign, []);
  await takeBackSend(fleet.ctx, campaign.client, campaign.id);
  assert.equal(await statusOf(fleet, campaign), "ready");
  await isAudited(fleet);
});

Deno.test("takeBackSend() ends a waiver of the hours: its reason was given for other words", async () => {
  await using fleet = await openFleet();
  const campaign = await sendWithWait(fleet);
  const { rows: [row] } = await execute(
    fleet.ctx.db,
    query.select().from(campaigns).where(eq(campaigns.id, campaign.id)),
  );
  await waiveHours(fleet.ctx, campaign.client, row!, "הודעה דחופה על ביטול תור");
  await takeBackSend(fleet.ctx, campaign.client, campaign.id);
  assert.deepEqual(
    await fleet.one("SELECT hours_waived_at, hours_waived_by, hours_waived_why FROM campaigns"),
    { hours_waived_at: null, hours_waived_by: null, hours_waived_why: null },
  );
});

Deno.test("a list whose numbers waited for other marketing goes out whole after its send was taken back", async () => {
  await using fleet = await openFleet();
  await setRules(fleet, { sendingHoursEnforced: false, frequencyCapDays: 7 });
  const client = await fleet.addClient(10);
  const [away, site] = [await fleet.addSite(), await fleet.addSite()];
  await sendMarketing(fleet, 2, client);
  const held = await take(fleet, away);
  await report(fleet, away, { ...held, items: held.items.slice(1) }, "sent");
  const { id } = await fleet.addCampaign(client, 2);
  await fleet.ctx.db.batch([
    `INSERT INTO imports (id, campaign, file_name, status, added, created_at, updated_at)
      VALUES (5, ${id}, '', 'completed', 2, 1, 1)`,
    `UPDATE deliveries SET import = 5 WHERE campaign = ${id}`,
  ]);
  await sendCampaign(fleet.ctx, client, id, { delaySeconds });
  await fleet.ctx.db.execute(`UPDATE campaigns SET kind = 'marketing', sent_text = message WHERE id = ${id}`);
  fleet.pass(10_000);
  assert.equal(await pull(fleet, site), null);
  assert.deepEqual(await fleet.states(id), ["queued", "skipped"], "one waits, and one heard lately");
  await takeBackSend(fleet.ctx, client, id);
  await takeOutImport(fleet.ctx, { campaign: id, importId: 5, client: client.id });
  assert.deepEqual(await fleet.states(id), [], "nobody of it is left to be sent to");
  assert.deepEqual(
    await fleet.one(
      `SELECT status, queued_count, skipped_count, capped_count FROM campaigns WHERE id = ${id}`,
    ),
    { status: "draft", queued_count: 0, skipped_count: 0, capped_count: 0 },
  );
  await isAudited(fleet);
});
