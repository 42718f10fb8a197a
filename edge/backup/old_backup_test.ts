/** A backup so old that sites no longer remember everything they sent since. */
import assert from "node:assert/strict";
import { ARCHIVE_MS } from "shared/lease.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { connectDatabase } from "../db/connect.ts";
import { beginAgain } from "./begin_again.ts";
import { auditQueue } from "../queue/audit.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { type BackupGround, openBackupGround } from "../testing/backup_ground.ts";
import { type Fleet, fleetOn, type TestSite } from "../testing/fleet.ts";
import { reportLostTime } from "../testing/lost_time.ts";
import { pull, report, sendNew, statusOf, take } from "../testing/queue_acts.ts";
import { sendCampaign } from "../queue/send.ts";

const DAY_MS = 24 * 60 * 60_000;
const ADMIN = { client: 0, person: 0, role: "admin" as const };

/** Opens a campaign that runs at the time of a backup and continues after it. */
async function openRunning(ground: BackupGround) {
  const { fleet } = ground;
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const folder = await ground.back();
  fleet.pass(DAY_MS);
  return { campaign, site, folder };
}

/** Restores the backup over the earlier database and opens it. */
async function restoreFrom(ground: BackupGround, folder: string): Promise<Fleet> {
  const db = await connectDatabase(`file:${await ground.place(folder)}`);
  return fleetOn({ ...ground.fleet, ctx: { ...ground.fleet.ctx, db } });
}

async function answer(fleet: Fleet, site: TestSite, campaign: { id: number }) {
  await fleet.reconnect(site);
  await fleet.show(site);
  await reportLostTime(fleet, site, campaign, []);
}

async function alerts(fleet: Fleet): Promise<number> {
  return Number((await fleet.one("SELECT count(*) AS n FROM activity WHERE code = 'restore_untold'")).n);
}

Deno.test("a backup older than the sites' archive leases no earlier campaign by itself: an administrator decides (I2)", async () => {
  await using ground = await openBackupGround();
  const { campaign, site, folder } = await openRunning(ground);
  await report(ground.fleet, site, await take(ground.fleet, site), "sent");
  ground.fleet.pass(ARCHIVE_MS);
  const fleet = await restoreFrom(ground, folder);
  // The journal no longer has what it sent on the first day.
  await answer(fleet, site, campaign);
  assert.equal(await pull(fleet, site), null, "all three have it already");
  assert.equal(await statusOf(fleet, campaign), "paused");
  assert.equal(await alerts(fleet), 1);
  const owner = { client: campaign.client.id, person: campaign.client.id, role: "client" as const };
  await assert.rejects(resumeCampaign(fleet.ctx, owner, campaign.id));
  await resumeCampaign(fleet.ctx, ADMIN, campaign.id);
  await answer(fleet, site, campaign);
  assert.equal((await pull(fleet, site))?.items.length, 3, "a person's word, once");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  fleet.ctx.db.close();
});

Deno.test("a backup within the sites' archive continues by itself", async () => {
  await using ground = await openBackupGround();
  const { campaign, site, folder } = await openRunning(ground);
  ground.fleet.pass(ARCHIVE_MS - 3 * DAY_MS);
  const fleet = await restoreFrom(ground, folder);
  await answer(fleet, site, campaign);
  assert.equal((await pull(fleet, site))?.items.length, 3);
  fleet.ctx.db.close();
});

Deno.test("a time from a clock that was ahead does not make an old backup look young", async () => {
  await using ground = await openBackupGround();
  const { fleet: before } = ground;
  const campaign = await sendNew(before, 3);
  const site = await before.addSite();
  await before.ctx.db.execute({
    sql: "UPDATE campaigns SET updated_at = ?",
    args: [before.ctx.now() + 400 * DAY_MS],
  });
  const folder = await ground.back();
  before.pass(2 * ARCHIVE_MS);
  const fleet = await restoreFrom(ground, folder);
  await answer(fleet, site, campaign);
  assert.equal(await statusOf(fleet, campaign), "paused");
  fleet.ctx.db.close();
});

Deno.test("an edge that ran on an old database before `restored` does not make it look younger", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await report(fleet, site, await take(fleet, site, 1), "sent");
  fleet.pass(2 * ARCHIVE_MS);
  await fleet.reconnect(site);
  assert.equal(await beginAgain(fleet.ctx), 1);
  assert.equal(await statusOf(fleet, campaign), "paused");
});

Deno.test("an old backup also holds back campaigns that had sent nothing when it was made", async () => {
  await using ground = await openBackupGround();
  const { fleet: before } = ground;
  const earlier = await sendNew(before, 1);
  const site = await before.addSite();
  await report(before, site, await take(before, site), "sent");
  before.pass(7 * DAY_MS);
  const campaign = await sendNew(before, 3);
  const folder = await ground.back();
  before.pass(2 * ARCHIVE_MS);
  const fleet = await restoreFrom(ground, folder);
  await answer(fleet, site, campaign);
  assert.equal(await statusOf(fleet, campaign), "paused");
  assert.equal(await statusOf(fleet, earlier), "completed");
  fleet.ctx.db.close();
});

Deno.test("a site that reports its lost time too late pauses the campaigns it may have sent (rule 17)", async () => {
  await using ground = await openBackupGround();
  const { campaign, site, folder } = await openRunning(ground);
  ground.fleet.pass(ARCHIVE_MS - 3 * DAY_MS);
  const fleet = await restoreFrom(ground, folder);
  assert.equal(await statusOf(fleet, campaign), "processing");
  const owner = await fleet.addClient(1);
  const later = await fleet.addCampaign(owner, 1);
  fleet.pass(4 * DAY_MS);
  await sendCampaign(fleet.ctx, owner, later.id);
  await answer(fleet, site, campaign);
  assert.equal(await statusOf(fleet, campaign), "paused");
  assert.equal(
    (await pull(fleet, site))?.campaign,
    later.id,
    "what was sent since the restore is no question",
  );
  assert.equal(await alerts(fleet), 1);
  fleet.ctx.db.close();
});

Deno.test("a site that reports the first of two restores too late pauses the campaigns it may have sent (rule 17)", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await beginAgain(fleet.ctx);
  fleet.pass(ARCHIVE_MS - 3 * DAY_MS);
  await fleet.reconnect(site);
  assert.equal(await beginAgain(fleet.ctx), 0);
  fleet.pass(4 * DAY_MS);
  await answer(fleet, site, campaign);
  assert.equal(await statusOf(fleet, campaign), "paused");
  assert.equal(await pull(fleet, site), null);
});

Deno.test("a site that reported the first restore in time pauses nothing after a second one", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const campaign = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  await beginAgain(fleet.ctx);
  await answer(fleet, site, campaign);
  fleet.pass(ARCHIVE_MS - 3 * DAY_MS);
  await fleet.reconnect(site);
  assert.equal(await beginAgain(fleet.ctx), 0);
  fleet.pass(4 * DAY_MS);
  await answer(fleet, site, campaign);
  assert.equal((await pull(fleet, site))?.items.length, 3);
});

Deno.test("a site with another journal than the backup's pauses the campaigns the lost one may have sent (rule 17)", async () => {
  await using ground = await openBackupGround();
  const { campaign, site, folder } = await openRunning(ground);
  await report(ground.fleet, site, await take(ground.fleet, site), "sent");
  const fleet = await restoreFrom(ground, folder);
  const journalId = "e".repeat(32);
  await fleet.reconnect(site, { journalId, counterAtOpen: 0, journalCounter: 0 });
  await reportLostTime(fleet, site, campaign, []);
  assert.equal(await pull(fleet, site), null);
  assert.equal(await statusOf(fleet, campaign), "paused");
  await fleet.reconnect(site, { journalId });
  assert.equal(await alerts(fleet), 1);
  fleet.ctx.db.close();
});

Deno.test("an administrator who resumes a campaign is asked once, however many sites answer late", async () => {
  await using ground = await openBackupGround();
  const { fleet: before } = ground;
  const campaign = await sendNew(before, 3);
  const [site, other] = [await before.addSite(), await before.addSite()];
  const folder = await ground.back();
  const fleet = await restoreFrom(ground, folder);
  fleet.pass(2 * ARCHIVE_MS);
  await answer(fleet, site, campaign);
  assert.equal(await statusOf(fleet, campaign), "paused");
  await resumeCampaign(fleet.ctx, ADMIN, campaign.id);
  await answer(fleet, other, campaign);
  assert.equal((await pull(fleet, other))?.items.length, 3);
  assert.equal(await alerts(fleet), 1);
  fleet.ctx.db.close();
});

Deno.test("a restore repeated after a kill does not count its first try as a sign of life", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sendNew(fleet, 3);
  await fleet.addSite();
  fleet.pass(2 * ARCHIVE_MS);
  await writeAudit(fleet.ctx, { kind: "database_restored", actor: null });
  assert.equal(await beginAgain(fleet.ctx), 1);
});

Deno.test("a campaign that an administrator paused before an old backup stays paused, without an alert", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const campaign = await sendNew(fleet, 3);
  await fleet.addSite();
  await pauseCampaign(fleet.ctx, ADMIN, campaign.id);
  fleet.pass(2 * ARCHIVE_MS);
  assert.equal(await beginAgain(fleet.ctx), 0);
  assert.equal(await alerts(fleet), 0);
});

Deno.test("a campaign that its client paused before an old backup is resumed only by an administrator", async () => {
  await using ground = await openBackupGround();
  const { fleet: before } = ground;
  const campaign = await sendNew(before, 3);
  await before.addSite();
  const owner = { client: campaign.client.id, person: campaign.client.id, role: "client" as const };
  await pauseCampaign(before.ctx, owner, campaign.id);
  const folder = await ground.back();
  before.pass(2 * ARCHIVE_MS);
  const fleet = await restoreFrom(ground, folder);
  await assert.rejects(resumeCampaign(fleet.ctx, owner, campaign.id));
  assert.equal((await resumeCampaign(fleet.ctx, ADMIN, campaign.id)).status, "processing");
  fleet.ctx.db.close();
});
