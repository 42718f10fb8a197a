import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Secret, TOTP } from "otpauth";
import type { ReplyItem } from "shared/agent_protocol.ts";
import { createSite } from "../sites/create_site.ts";
import { readGeneration } from "../sites/generation.ts";
import { takeOutcomes } from "../sites/outcomes.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { checkWholeChain } from "../audit_log/check_chain.ts";
import { openMarkKey } from "../audit_log/mark_key.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { sealAudit } from "../audit_log/seal.ts";
import { connectDatabase } from "../db/connect.ts";
import { tripCampaign } from "../health/trip_campaign.ts";
import { readBlocked } from "../privacy/blocked.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { repeatErasures } from "../privacy/repeat_erasures.ts";
import { startErasure } from "../privacy/start_erasure.ts";
import { auditQueue } from "../queue/audit.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { sendCampaign } from "../queue/send.ts";
import { takeBackSend } from "../queue/take_back.ts";
import { decideReplies } from "../opt_out/decide_replies.ts";
import { removeByLink } from "../opt_out/removal_link.ts";
import { takeReplies } from "../opt_out/take_replies.ts";
import { removalToken } from "../personal/removal_token.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { checkCode } from "../auth/check_code.ts";
import { newRecoveryCodes } from "../auth/recovery_codes.ts";
import { openFactorKeys, sealSecret } from "../auth/sealed_secret.ts";
import { type BackupGround, openBackupGround, rows } from "../testing/backup_ground.ts";
import { type Fleet, fleetOn } from "../testing/fleet.ts";
import { tablesThatHold } from "../testing/number_traces.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { makeBackup } from "./make_backup.ts";
import { isCopyFile } from "../opening/refuse_file.ts";
import { BackupError, DATABASE_FILE, hashFile, MANIFEST_FILE } from "./manifest.ts";
import { restoreBackup } from "./restore_backup.ts";

function sentItems({ token, items }: LeaseFrame, { campaign, at }: { campaign: number; at: number }) {
  return items.map(({ phone, attempt }) => ({
    token,
    campaign,
    phone,
    attempt,
    account: null,
    outcome: "sent" as const,
    at,
  }));
}

Deno.test("makeBackup() copies a database during writes, as of one moment", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { id } = await sendNew(fleet, 3);
  const open = await fleet.ctx.db.transaction("write");
  await open.execute({ sql: "UPDATE campaigns SET name = 'later' WHERE id = ?", args: [id] });
  const folder = await ground.back();
  await open.commit();
  const path = join(folder, DATABASE_FILE);
  assert.deepEqual(rows(path, "SELECT name FROM campaigns"), ["מבצע"]);
  assert.deepEqual(rows(path, "SELECT count(*) FROM deliveries"), ["3"]);
  const manifest = JSON.parse(await Deno.readTextFile(join(folder, MANIFEST_FILE)));
  assert.equal(manifest.bytes, (await Deno.stat(path)).size);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  assert.deepEqual([...Deno.readDirSync(ground.folder)].length, 1);
});

Deno.test("makeBackup() marks its copy, and only a restore removes the mark; older backups have none", async () => {
  await using ground = await openBackupGround();
  const mark = "SELECT count(*) FROM system WHERE key = 'backup_copy'";
  const folder = await ground.back();
  const copy = join(folder, DATABASE_FILE);
  assert.deepEqual([rows(copy, mark), await isCopyFile(copy)], [["1"], true]);
  const databasePath = await ground.place(folder);
  assert.deepEqual([rows(databasePath, mark), await isCopyFile(databasePath)], [["0"], false]);
  {
    using old = new DatabaseSync(copy);
    old.exec("DELETE FROM system WHERE key = 'backup_copy'; PRAGMA application_id = 0");
  }
  const manifestPath = join(folder, MANIFEST_FILE);
  const manifest = JSON.parse(await Deno.readTextFile(manifestPath));
  await Deno.writeTextFile(manifestPath, JSON.stringify({ ...manifest, sha256: await hashFile(copy) }));
  await restoreBackup(ground.fleet.ctx, { folder, databasePath });
});

Deno.test("makeBackup() of a foreign file leaves no file", async () => {
  await using ground = await openBackupGround();
  const databasePath = join(ground.folder, "other.db");
  using other = new DatabaseSync(databasePath);
  other.exec("CREATE TABLE t (a)");
  const under = join(ground.folder, "backups");
  await assert.rejects(makeBackup({ databasePath, under, now: 0 }), BackupError);
  assert.deepEqual([...Deno.readDirSync(under)], []);
});

Deno.test("restoreBackup() begins a new generation: nothing is leased before every site has reported its outcomes", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { id } = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const folder = await ground.back();
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "sent");
  const lostState = await fleet.states(id);
  const databasePath = `${ground.folder}/restored.db`;
  const { manifest, putAside } = await restoreBackup(fleet.ctx, { folder, databasePath, makeNew: true });
  assert.deepEqual([manifest.madeAt, putAside], [new Date(fleet.ctx.now()).toISOString(), null]);
  const db = await connectDatabase(`file:${databasePath}`);
  const ctx = { ...fleet.ctx, db };
  const generations = await Promise.all(
    [fleet.ctx.db, db].map(async (one) =>
      (await one.execute("SELECT value FROM system WHERE key = 'generation'")).rows[0]?.value
    ),
  );
  assert.notEqual(generations[0], generations[1]);
  assert.ok(lostState.includes("sent"));
  const { rows: [counts] } = await ctx.db.execute("SELECT queued_count, sent_count FROM campaigns");
  assert.deepEqual([counts!.queued_count, counts!.sent_count], [3, 0]);
  const after = fleetOn({ database: fleet.database, ctx, pass: fleet.pass });
  await after.reconnect(site);
  assert.equal(await pull(after, site), null);
  db.close();
});

Deno.test("restoreBackup() keeps second factors: with the same APP_KEY the same codes work", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { id: userId } = await fleet.addClient(1);
  const appKey = "a key that is kept apart from the backup";
  const secret = fleet.ctx.randomBytes(20);
  const { codes: [recoveryCode], statements } = newRecoveryCodes(fleet.ctx, userId);
  await fleet.ctx.db.batch([
    {
      sql: "INSERT INTO second_factors (user, secret, confirmed_at) VALUES (?, ?, 1)",
      args: [userId, await sealSecret(fleet.ctx, await openFactorKeys([appKey]), userId, secret)],
    },
    ...statements,
  ]);
  const db = await connectDatabase(`file:${await ground.place(await ground.back())}`);
  const code = new TOTP({ secret: new Secret({ buffer: secret.buffer }) }).generate({
    timestamp: fleet.ctx.now(),
  });
  for (const given of [code, recoveryCode!]) {
    const ctx = { ...fleet.ctx, db };
    await checkCode(ctx, await openFactorKeys([appKey]), { userId, actor: null, code: given, address: "" });
  }
  db.close();
});

Deno.test("restoreBackup() keeps sites and machines that joined since, and waits for their outcomes too", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const { id } = await sendNew(fleet, 3);
  const early = await fleet.addSite();
  const folder = await ground.back();
  const late = await fleet.addSite();
  const lease = await take(fleet, late);
  await fleet.ctx.db.execute(`UPDATE sites SET public_key = 'of a new machine' WHERE id = ${early.site}`);
  const revoked = await fleet.addSite();
  await revokeSite(fleet.ctx, revoked.site);
  const { databasePath, along, db, ctx, after } = await restoreOver(ground, folder);
  assert.equal(along.joined.length, 2);
  const keys = "SELECT public_key FROM sites WHERE revoked = 0 ORDER BY id";
  assert.deepEqual(rows(databasePath, keys), rows(fleet.database.path, keys));
  for (const site of [early, late]) await after.reconnect(site);
  const generation = await readGeneration(ctx);
  await takeOutcomes(ctx, early, { type: "outcomes", generation, items: [], last: true });
  assert.equal(await pull(after, early), null, "the later one has not told yet");
  const items = sentItems(lease, { campaign: id, at: ctx.now() });
  await takeOutcomes(ctx, late, { type: "outcomes", generation, items, last: true });
  assert.deepEqual(await after.states(id), lease.items.map(() => "sent"));
  db.close();
});

Deno.test("restoreBackup() over a database older than the backup leaves a site its newer machine", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const { site } = await fleet.addSite();
  const databasePath = `${ground.folder}/older.db`;
  await ground.copyTo(databasePath);
  // As enrollSite() writes it.
  await fleet.ctx.db.execute(
    `UPDATE sites SET public_key = 'of a new machine', epoch = epoch + 1 WHERE id = ${site}`,
  );
  const { along } = await restoreBackup(fleet.ctx, { folder: await ground.back(), databasePath });
  assert.deepEqual(along.joined, []);
  assert.deepEqual(rows(databasePath, "SELECT public_key FROM sites"), ["of a new machine"]);
});

Deno.test("restoreBackup() over a copy put in place by hand records that nothing was known of the time since", async () => {
  await using ground = await openBackupGround();
  await sealRow(ground.fleet, 1);
  const folder = await ground.back();
  const databasePath = `${ground.folder}/by_hand.db`;
  await copyFile(join(folder, DATABASE_FILE), databasePath);
  const { along } = await restoreBackup(ground.fleet.ctx, { folder, databasePath });
  assert.equal(along.isKnown, false);
});

Deno.test("restoreBackup() keeps removals entered since: those numbers are not messaged (I5)", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const { id, client, phones } = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await suppressPhone(fleet.ctx, { phone: "+972501234567", client: 0, source: "manual" });
  const folder = await ground.back();
  await suppressPhone(fleet.ctx, { phone: phones[0]!, client: client.id, source: "manual" });
  // The site may be gone before it reports the reply again.
  await suppressPhone(fleet.ctx, { phone: "+972501234568", client: client.id, source: "reply" });
  const { along, db, ctx, after } = await restoreOver(ground, folder);
  assert.deepEqual(along, { ...NOTHING_ALONG, removals: 2 });
  await after.reconnect(site);
  await takeOutcomes(ctx, site, {
    type: "outcomes",
    generation: await readGeneration(ctx),
    items: [],
    last: true,
  });
  assert.deepEqual((await take(after, site)).items.map(({ phone }) => phone), [phones[1]]);
  assert.deepEqual(await after.states(id), ["skipped", "leased"]);
  db.close();
});

Deno.test("restoreBackup() keeps who asked by a link since: no site tells of it, and the client cannot take it back (I5)", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { site, client, phones, press } = await openSentLinks(ground);
  const next = await sendNew(fleet, 3, client);
  const listed = { phone: phones[1]!, client: client.id };
  await suppressPhone(fleet.ctx, { ...listed, source: "manual" });
  const folder = await ground.back();
  for (const phone of phones.slice(0, 2)) await press(phone);
  const { along, db, ctx, after } = await restoreOver(ground, folder);
  assert.deepEqual(along, { ...NOTHING_ALONG, removals: 1 });
  assert.deepEqual(
    (await db.execute("SELECT source, listed_as FROM suppressions ORDER BY phone")).rows.map((row) => ({
      ...row,
    })),
    [{ source: "reply", listed_as: null }, { source: "reply", listed_as: "manual" }],
  );
  await after.reconnect(site);
  const generation = await readGeneration(ctx);
  await takeOutcomes(ctx, site, { type: "outcomes", generation, items: [], last: true });
  assert.deepEqual((await take(after, site)).items.map(({ phone }) => phone), [phones[2]]);
  assert.deepEqual(await after.states(next.id), ["skipped", "skipped", "leased"]);
  db.close();
});

Deno.test("restoreBackup() counts each request since the backup once, also when a site reports it again", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { site, client, id, phones, press } = await openSentLinks(ground);
  const reply = (phone: string, of: string, decision: "remove" | "unclear" = "remove"): ReplyItem => ({
    id: of.repeat(32),
    phone,
    account: `${site.devices[0]}/com.whatsapp/0`,
    decision,
    excerpt: "הסר",
    at: fleet.ctx.now(),
  });
  const [keyword, unclear] = [reply(phones[1]!, "b"), reply(phones[2]!, "c", "unclear")];
  await takeReplies(fleet.ctx, site, [unclear]);
  const folder = await ground.back();
  await press(phones[0]!);
  await takeReplies(fleet.ctx, site, [keyword]);
  const owner = { id: client.id, username: "", role: "client" as const, sessionHash: "" };
  const waiting = await fleet.one("SELECT id FROM replies WHERE state = 'waiting'");
  await decideReplies(fleet.ctx, owner, { ids: [Number(waiting.id)], as: "remove" });
  const { databasePath, db, ctx, after } = await restoreOver(ground, folder);
  const requests =
    "SELECT campaign, phone, site, reply, state, excerpt, at, received_at FROM replies ORDER BY phone";
  const count = `SELECT opted_out_count FROM campaigns WHERE id = ${id}`;
  assert.deepEqual(rows(databasePath, requests), rows(fleet.database.path, requests));
  assert.deepEqual(rows(databasePath, count), ["3"]);
  await after.reconnect(site);
  const generation = await readGeneration(ctx);
  await takeOutcomes(ctx, site, { type: "outcomes", generation, items: [], last: true });
  await takeReplies(ctx, site, [
    { ...keyword, excerpt: "" },
    { ...unclear, excerpt: "" },
    reply(phones[0]!, "d"),
  ]);
  assert.deepEqual(rows(databasePath, count), ["3"]);
  assert.deepEqual(await auditQueue(db), []);
  db.close();
});

Deno.test("the link of a message that was sent after the backup works, also before its site has reported it (I5)", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { id, phones, site, send, linkOf } = await openUnsentLinks(ground);
  const folder = await ground.back();
  const lease = await send();
  const link = await linkOf(phones[0]!);
  const db = await connectDatabase(`file:${await ground.place(folder)}`);
  const ctx = { ...fleet.ctx, db };
  const after = fleetOn({ database: fleet.database, ctx, pass: fleet.pass });
  assert.equal((await removeByLink(ctx, link)).isRemoved, true);
  assert.deepEqual(await after.states(id), ["skipped", "queued", "queued"]);
  await after.reconnect(site);
  const generation = await readGeneration(ctx);
  const items = sentItems(lease, { campaign: id, at: ctx.now() });
  await takeOutcomes(ctx, site, { type: "outcomes", generation, items, last: true });
  assert.deepEqual(await after.states(id), ["sent", "sent", "sent"]);
  assert.equal((await removeByLink(ctx, link)).isRemoved, true);
  assert.equal((await after.one("SELECT opted_out_count AS n FROM campaigns")).n, 1);
  assert.deepEqual(await auditQueue(db), []);
  db.close();
});

Deno.test("restoreBackup() over a database older than the backup brings back no request that was forgotten since", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { id, phones, press } = await openSentLinks(ground);
  await press(phones[0]!);
  const databasePath = `${ground.folder}/older.db`;
  await ground.copyTo(databasePath);
  await fleet.ctx.db.execute("DELETE FROM replies");
  await sealRow(fleet, 2);
  await restoreBackup(fleet.ctx, { folder: await ground.back(), databasePath });
  assert.deepEqual(rows(databasePath, "SELECT phone FROM replies"), []);
  assert.deepEqual(rows(databasePath, `SELECT opted_out_count FROM campaigns WHERE id = ${id}`), ["1"]);
});

Deno.test("restoreBackup() keeps erasures and blocks made since: nothing is leased before they are repeated (I2, I5)", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const { id, phones: [erased, other] } = await sendNew(fleet, 2);
  const site = await fleet.addSite();
  const folder = await ground.back();
  const lease = await take(fleet, site);
  await report(fleet, site, lease, "sent");
  await startErasure(fleet.ctx, { id: 0 }, { phone: erased!, reason: "בקשה", block: true });
  fleet.pass(2 * 60_000);
  await eraseNumbers(fleet.ctx);
  // The site forgot the number too, and can report nothing about it.
  const { along, db, ctx, after } = await restoreOver(ground, folder);
  assert.deepEqual(along, { ...NOTHING_ALONG, erasures: 1 });
  await after.reconnect(site);
  const generation = await readGeneration(ctx);
  await takeOutcomes(ctx, site, { type: "outcomes", generation, items: [], last: true });
  assert.equal(await pull(after, site), null, "the erasure was not done again");
  await repeatErasures(ctx);
  assert.deepEqual((await take(after, site)).items.map(({ phone }) => phone), [other]);
  assert.deepEqual(await after.states(id), ["skipped", "leased"]);
  after.pass(2 * 60_000);
  await eraseNumbers(ctx);
  assert.deepEqual(await tablesThatHold(db, erased!), []);
  assert.equal((await readBlocked(ctx))(Number(erased!.slice(1))), true);
  assert.deepEqual(await auditQueue(db), []);
  db.close();
});

Deno.test("restoreBackup() repeats erasures without waiting for a revoked site, also with nothing left to erase", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const { phones: [erased, other] } = await sendNew(fleet, 2);
  const [gone, site] = [await fleet.addSite(), await fleet.addSite()];
  await take(fleet, gone, 1);
  const folder = await ground.back();
  for (const phone of [erased!, "+972501234567"]) {
    await startErasure(fleet.ctx, { id: 0 }, { phone, reason: "בקשה", block: false });
  }
  const { along, db, ctx, after } = await restoreOver(ground, folder);
  assert.equal(along.erasures, 2);
  await revokeSite(ctx, gone.site);
  await after.reconnect(site);
  const generation = await readGeneration(ctx);
  await takeOutcomes(ctx, site, { type: "outcomes", generation, items: [], last: true });
  await repeatErasures(ctx);
  assert.deepEqual((await take(after, site)).items.map(({ phone }) => phone), [other]);
  const wakes =
    "SELECT count(*) AS n FROM events WHERE type = 'workWaiting' AND at = (SELECT max(at) FROM events)";
  assert.ok(Number((await after.one(wakes)).n) > 0, "sites are told to ask again");
  db.close();
});

Deno.test("restoreBackup() keeps the clients of lost campaigns: numbers that sites report belong to that client only", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const [client, later] = [await fleet.addClient(2), await fleet.addSite()];
  const folder = await ground.back();
  const lost = await sendNew(fleet, 1, client);
  const lease = await take(fleet, later);
  await report(fleet, later, lease, "sent");
  const { db, ctx, after } = await restoreOver(ground, folder);
  await after.reconnect(later);
  const [item] = lease.items;
  await takeOutcomes(ctx, later, {
    type: "outcomes",
    generation: await readGeneration(ctx),
    items: [{
      ...item!,
      campaign: lost.id,
      token: lease.token,
      outcome: "sent",
      at: ctx.now(),
      account: null,
    }],
    last: true,
  });
  assert.deepEqual(await after.one("SELECT client, phone FROM lost_reaches"), {
    client: client.id,
    phone: Number(item!.phone.slice(1)),
  });
  db.close();
});

Deno.test("restoreBackup() carries the mark key over, so that earlier marks still match under another APP_KEY", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const keep = (value: string) =>
    fleet.ctx.db.execute({
      sql:
        "INSERT INTO system (key, value) VALUES ('mark_key', ?) ON CONFLICT (key) DO UPDATE SET value = ?1",
      args: [value],
    });
  await keep("the key of the backup, lost since");
  const folder = await ground.back();
  await keep("the key that marks the erased");
  const { db } = await restoreOver(ground, folder);
  const { rows: kept } = await db.execute("SELECT value FROM system WHERE key = 'mark_key'");
  assert.deepEqual(kept.map(({ value }) => value), ["the key that marks the erased"]);
  db.close();
});

for (const isOlder of [false, true]) {
  const which = isOlder ? "of a database older than the backup" : "that the present APP_KEY does not open";
  Deno.test(`restoreBackup() carries no mark key over ${which}, and an edge starts on the result`, async () => {
    await using ground = await openBackupGround();
    const { fleet } = ground;
    const [formerKey, appKey] = [
      "the APP_KEY of before, long enough",
      "the APP_KEY of now, long enough to be one",
    ];
    await sealRow(fleet, 1);
    await openMarkKey(fleet.ctx, [formerKey]);
    const databasePath = `${ground.folder}/older.db`;
    await ground.copyTo(databasePath);
    if (isOlder) await sealRow(fleet, 2);
    const marks = await openMarkKey(fleet.ctx, [appKey, formerKey]);
    const folder = await ground.back();
    const appKeys = isOlder ? [appKey, formerKey] as const : [appKey] as const;
    await restoreBackup(fleet.ctx, { folder, databasePath, appKeys });
    const db = await connectDatabase(`file:${databasePath}`);
    assert.deepEqual(await openMarkKey({ ...fleet.ctx, db }, [appKey]), marks);
    db.close();
  });
}

Deno.test("restoreBackup() pauses a send that was taken back since, also when it was then deleted or sent again", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const client = await fleet.addClient(20);
  const sends = [0, 1, 2, 3].map(() => fleet.addCampaign(client, 2));
  const [back, deleted, again, kept] = await Promise.all(sends);
  for (const { id } of [back!, deleted!, again!, kept!]) {
    await sendCampaign(fleet.ctx, client, id, { delaySeconds: 10 });
  }
  await fleet.addSite();
  const folder = await ground.back();
  for (const { id } of [back!, deleted!, again!]) await takeBackSend(fleet.ctx, client, id);
  await fleet.ctx.db.batch([
    `DELETE FROM deliveries WHERE campaign = ${deleted!.id}`,
    `DELETE FROM campaigns WHERE id = ${deleted!.id}`,
  ]);
  await sendCampaign(fleet.ctx, client, again!.id);
  const { along, db } = await restoreOver(ground, folder);
  assert.deepEqual(along, { ...NOTHING_ALONG, stopped: 3 });
  const { rows } = await db.execute("SELECT id, status, paused_by FROM campaigns ORDER BY id");
  assert.deepEqual(rows.map(({ status, paused_by }) => [status, paused_by]), [
    ["paused", "client"],
    ["paused", "client"],
    ["paused", "client"],
    ["processing", null],
  ]);
});

Deno.test("restoreBackup() pauses campaigns that were paused or cancelled since: none of them sends by itself", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const [cancelled, paused, tripped, running] = [
    await sendNew(fleet, 2),
    await sendNew(fleet, 2),
    await sendNew(fleet, 2),
    await sendNew(fleet, 1),
  ];
  const site = await fleet.addSite();
  const folder = await ground.back();
  await cancelCampaign(fleet.ctx, { id: cancelled.client.id, role: "client" }, cancelled.id);
  await pauseCampaign(fleet.ctx, { id: 0, role: "admin" }, paused.id);
  // The restore also loses the reason that a person would have to confirm.
  await tripCampaign(fleet.ctx, { id: tripped.id, name: "" }, { signal: "failed", count: 6, sample: 50 });
  const { along, db, ctx, after } = await restoreOver(ground, folder);
  assert.deepEqual(along, { ...NOTHING_ALONG, stopped: 3 });
  const { rows: kept } = await db.execute("SELECT status, paused_by FROM campaigns ORDER BY id");
  assert.deepEqual(kept.map((row) => [row.status, row.paused_by]), [
    ["paused", "client"],
    ["paused", "admin"],
    ["paused", "admin"],
    ["processing", null],
  ]);
  await after.reconnect(site);
  const generation = await readGeneration(ctx);
  await takeOutcomes(ctx, site, { type: "outcomes", generation, items: [], last: true });
  assert.deepEqual((await take(after, site)).items.map(({ phone }) => phone), [running.phones[0]]);
  assert.equal(await pull(after, site), null);
  assert.deepEqual(await auditQueue(db), []);
  db.close();
});

Deno.test("restoreBackup() accepts no session or join token that ended or was used since", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const { id: user } = await fleet.addClient(1);
  await fleet.ctx.db.execute({
    sql: "INSERT INTO sessions (id_hash, user, created_at, last_seen_at) VALUES ('stolen', ?, ?, ?)",
    args: [user, fleet.ctx.now(), fleet.ctx.now()],
  });
  await createSite(fleet.ctx, "חיפה");
  const databasePath = await ground.place(await ground.back());
  assert.deepEqual(rows(databasePath, "SELECT id_hash FROM sessions"), []);
  assert.deepEqual(rows(databasePath, "SELECT hash FROM join_tokens WHERE used_at IS NULL"), []);
});

Deno.test("restoreBackup() carries nothing over from a database of another installation", async () => {
  await using ground = await openBackupGround();
  await using other = await openBackupGround();
  await sealRow(ground.fleet, 1);
  await sealRow(other.fleet, 2);
  await other.fleet.addSite();
  await suppressPhone(other.fleet.ctx, { phone: "+972501234567", client: 0, source: "manual" });
  const databasePath = await other.place(await other.back());
  const { along } = await restoreBackup(ground.fleet.ctx, { folder: await ground.back(), databasePath });
  assert.deepEqual(along, { ...NOTHING_ALONG, isKnown: false });
  assert.deepEqual(rows(databasePath, "SELECT id FROM sites"), []);
});

Deno.test("restoreBackup() leaves an audit log in which no row is missing", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  await sealRow(fleet, 1);
  const folder = await ground.back();
  await sealRow(fleet, 2);
  const db = await connectDatabase(`file:${await ground.place(folder)}`);
  await sealAudit({ ...fleet.ctx, db });
  const { rows, fault } = await checkWholeChain(db, fleet.ctx.audit);
  assert.deepEqual([rows, fault], [2, null]);
  db.close();
});

Deno.test("restoreBackup() moves the present database aside, and refuses while a process has it open", async () => {
  await using ground = await openBackupGround();
  const { fleet } = ground;
  const folder = await ground.back();
  const databasePath = await ground.place(folder);
  const edge = await connectDatabase(`file:${databasePath}`);
  await edge.execute("INSERT INTO system (key, value) VALUES ('mark', 'newer')");
  await assert.rejects(
    restoreBackup(fleet.ctx, { folder, databasePath }),
    (error) => error instanceof BackupError && /in use/.test(error.message),
  );
  assert.equal((await edge.execute("SELECT value FROM system WHERE key = 'mark'")).rows[0]?.value, "newer");
  edge.close();
  const { putAside } = await restoreBackup(fleet.ctx, { folder, databasePath });
  const left = [...Deno.readDirSync(ground.folder)].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => /restoring|-wal|-shm|-journal/.test(name)), []);
  assert.deepEqual(rows(putAside!, "SELECT value FROM system WHERE key = 'mark'"), ["newer"]);
  assert.deepEqual(rows(databasePath, "SELECT value FROM system WHERE key = 'mark'"), []);
});

Deno.test("restoreBackup() refuses a backup that is damaged, foreign or of a newer release, and changes nothing", async () => {
  await using ground = await openBackupGround();
  const folder = await ground.back();
  const databasePath = `${ground.folder}/kept.db`;
  await Deno.writeTextFile(databasePath, "kept");
  const path = join(folder, DATABASE_FILE);
  const manifestPath = join(folder, MANIFEST_FILE);
  const [bytes, manifest] = [await Deno.readFile(path), await Deno.readTextFile(manifestPath)];
  const refuses = async (sentence: RegExp) => {
    await assert.rejects(restoreBackup(ground.fleet.ctx, { folder, databasePath }), sentence);
    assert.equal(await Deno.readTextFile(databasePath), "kept");
  };
  await Deno.writeFile(path, bytes.map((byte, index) => index === 5000 ? byte ^ 1 : byte));
  await refuses(/checksum differs/);
  await Deno.writeFile(path, bytes.subarray(0, bytes.length - 4096));
  await refuses(/checksum differs/);
  await Deno.writeTextFile(manifestPath, "{}");
  await refuses(/was not made by this program/);
  await Deno.remove(manifestPath);
  await refuses(/no manifest/);
  await Deno.writeFile(path, bytes);
  await Deno.writeTextFile(manifestPath, manifest);
  await ground.fleet.ctx.db.execute("INSERT INTO schema_migrations VALUES ('9999_from_tomorrow', '')");
  ground.fleet.pass(1);
  const newer = await ground.back();
  await assert.rejects(restoreBackup(ground.fleet.ctx, { folder: newer, databasePath }), /newer release/);
});

const NOTHING_ALONG = { isKnown: true, joined: [], removals: 0, stopped: 0, erasures: 0 };

/** Sends a campaign whose recipients have links; `press` presses the link of one. */
async function openSentLinks(ground: BackupGround) {
  const { send, linkOf, ...links } = await openUnsentLinks(ground);
  await send();
  const press = async (phone: string) => void await removeByLink(ground.fleet.ctx, await linkOf(phone));
  return { ...links, press };
}

/** Makes a campaign of three; `send` lets a site send it, and `linkOf` returns a recipient's token. */
async function openUnsentLinks({ fleet }: BackupGround) {
  await sealRow(fleet, 1);
  const site = await fleet.addSite();
  const client = await fleet.addClient(9);
  await fleet.ctx.db.execute({
    sql: `INSERT INTO advertisers (client, name, address, contact_phone, contact_email, updated_at)
      VALUES (?, 'משק הדר', 'רחוב 1', '', '', 0)`,
    args: [client.id],
  });
  const { id, phones } = await sendNew(fleet, 3, client);
  return {
    site,
    client,
    id,
    phones,
    async send() {
      const lease = await take(fleet, site);
      await report(fleet, site, lease, "sent", { tappedAt: fleet.ctx.now() });
      return lease;
    },
    async linkOf(phone: string) {
      const row = await fleet.one(
        `SELECT id, campaign, phone FROM deliveries WHERE campaign = ${id} AND phone = ${phone.slice(1)}`,
      );
      return removalToken(fleet.ctx, row as never);
    },
  };
}

/** Seals a row of the audit log; its hash identifies an installation. */
async function sealRow(fleet: Fleet, at: number): Promise<void> {
  await fleet.ctx.db.execute(noteAudit(at, { kind: "exported", actor: null, data: { what: "devices" } }));
  await sealAudit(fleet.ctx);
}

/** Restores a backup over a copy of the ground's current database, and opens the result. */
async function restoreOver(ground: BackupGround, folder: string) {
  const { fleet } = ground;
  fleet.pass(1);
  const databasePath = `${ground.folder}/live.db`;
  await ground.copyTo(databasePath);
  const { along } = await restoreBackup(fleet.ctx, { folder, databasePath });
  const db = await connectDatabase(`file:${databasePath}`);
  const ctx = { ...fleet.ctx, db };
  return {
    databasePath,
    along,
    db,
    ctx,
    after: fleetOn({ database: fleet.database, ctx, pass: fleet.pass }),
  };
}
