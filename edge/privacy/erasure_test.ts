import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import type { Client, InStatement } from "@libsql/client/web";
import { excerptOf } from "shared/opt_out.ts";
import { deliveryPageSchema, uploadResultSchema } from "shared/http_api.ts";
import { type Erasure, erasureEffectSchema, erasureSchema } from "shared/privacy.ts";
import { auditQueue } from "../queue/audit.ts";
import { handleFrame } from "../sites/handle_frame.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { importContacts } from "../contacts/import_contacts.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { openFleet } from "../testing/fleet.ts";
import { acknowledge, balanceOf, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { takeReplies } from "../opt_out/take_replies.ts";
import { tablesThatHold } from "../testing/number_traces.ts";
import { testAuditParts } from "../testing/audit_parts.ts";
import { blockNumber, readBlocked } from "./blocked.ts";
import { eraseNumbers } from "./erase_numbers.ts";
import { journalHash } from "./erase_sites.ts";
import { startErasure } from "./start_erasure.ts";

const REASON = "בקשה של בעל המספר";

async function erase({ admin }: AdminHouse, phone: string, block = true): Promise<Erasure> {
  const answer = await admin.ask("/api/admin/erasures", {
    method: "POST",
    json: { phone, reason: REASON, block },
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  return erasureSchema.parse(await answer.json());
}

async function certificate(house: AdminHouse, id: number): Promise<Erasure> {
  return erasureSchema.parse(await house.read(`/api/admin/erasures/${id}`));
}

/** Returns every place where the database still holds the number, from all tables and all bytes of its files. */
async function traces({ edge }: AdminHouse, phone: string): Promise<string[]> {
  const digits = phone.slice(1);
  const found = await tablesThatHold(edge.ctx.db, phone);
  for (const suffix of ["", "-wal"]) {
    const bytes = await readFile(edge.database.path + suffix);
    const asInteger = Buffer.alloc(6);
    asInteger.writeUIntBE(Number(digits), 0, 6);
    if (bytes.includes(asInteger) || bytes.includes(digits)) found.push(`file${suffix}`);
  }
  return found;
}

/** Returns a database that records the single statements of its transactions. */
function listening(db: Client, asked: string[]): Client {
  const transaction = async () => {
    const tx = await db.transaction("write");
    return {
      execute: (one: { sql: string }) => {
        asked.push(typeof one === "string" ? one : one.sql);
        return tx.execute(one);
      },
      batch: (all: InStatement[]) => tx.batch(all),
      commit: () => tx.commit(),
      close: () => tx.close(),
    };
  };
  const execute = (one: InStatement) => db.execute(one);
  return { protocol: db.protocol, execute, transaction } as unknown as Client;
}

/** Returns the frame that asks the site of `connection` to erase. */
async function owed(house: AdminHouse, connection: { site: number; epoch: number }) {
  const heartbeat = { type: "heartbeat", journalCounter: 1_000_000, at: 0 } as const;
  const answer = await handleFrame(house.edge.ctx, connection, heartbeat);
  return answer?.type === "erase" ? answer.items : [];
}

Deno.test("POST /api/admin/erasures leaves no trace of a number in any table or byte, and the books in order", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  const site = await fleet.addSite();
  const one = await sendNew(fleet, 3);
  const phone = one.phones[0]!;
  const owner = { id: one.client.id };
  for (const outcome of ["unknown", "failed", "sent"] as const) {
    await report(fleet, site, await take(fleet, site, 1), outcome, { reason: "send_not_verified" });
  }
  const draft = await fleet.addCampaign(owner, 3);
  await edge.ctx.db.execute(
    "INSERT INTO suppressions (client, phone, source, at) VALUES (0, ?, 'reply', 0)",
    [Number(phone.slice(1))],
  );
  await edge.ctx.db.execute(
    "INSERT INTO recipients (client, phone, last_marketing_at, campaign) VALUES (?, ?, 0, 1) ON CONFLICT DO NOTHING",
    [owner.id, Number(phone.slice(1))],
  );
  await edge.ctx.db.execute(
    "INSERT INTO senders (client, phone, account, campaign, at) VALUES (?, ?, 1, 1, 0)",
    [owner.id, Number(phone.slice(1))],
  );
  const account = `${site.devices[0]}/com.whatsapp/0`;
  const reply = { phone: one.phones[2]!, account, decision: "unclear" as const, at: 0 };
  await takeReplies(edge.ctx, site, [
    { ...reply, id: "1".repeat(32), phone, excerpt: "הסירו אותי אולי" },
    { ...reply, id: "2".repeat(32), excerpt: excerptOf(`הסירו גם את ${phone}`) },
  ]);
  const rejected = JSON.stringify([{
    row: 1,
    text: `${phone.slice(4, 6)}-${phone.slice(6)} ; x`,
    problem: "not_valid",
  }]);
  await edge.ctx.db.execute(
    "INSERT INTO imports (id, file_name, status, created_at, updated_at) VALUES (99, 'a.csv', 'completed', 0, 0)",
  );
  await edge.ctx.db.execute(
    "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (99, 'rejected', 0, ?)",
    [Buffer.from(rejected)],
  );
  await edge.ctx.db.execute("INSERT INTO activity (at, kind, code, data) VALUES (0, 'info', 'x', ?)", [
    `{"message":"${phone.slice(1)}"}`,
  ]);
  await edge.ctx.db.execute({ sql: "UPDATE accounts SET own_number = ? WHERE id = 1", args: [phone] });
  await edge.ctx.db.execute({
    sql: `INSERT INTO commands (device, site, kind, status, detail, user, created_at)
      SELECT id, site, 'identify', 'failed', ?, 1, 0 FROM devices`,
    args: [`It shows ${phone}`],
  });
  assert.notDeepEqual(await traces(house, phone), []);

  const { removed, databaseAt, scrubbedAt, doneAt, blocked } = await erase(house, phone, false);
  assert.deepEqual(await traces(house, phone), []);
  assert.deepEqual([
    removed.deliveries,
    removed.attempts,
    removed.suppressions,
    removed.import_chunks,
    removed.activity,
    removed.replies,
    removed.accounts,
    removed.commands,
  ], [2, 1, 1, 1, 1, 1, 1, 1]);
  assert.ok(databaseAt !== null && scrubbedAt !== null && doneAt === null, "its site has not answered");
  assert.equal(blocked, true, "who had asked to be left alone stays so");
  const audited = await fleet.one("SELECT data FROM audit_log WHERE kind = 'number_erased'");
  assert.equal(JSON.parse(String(audited.data)).blocked, true);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);

  const listed = deliveryPageSchema.parse(
    await (await admin.ask(`/api/campaigns/${one.id}/deliveries`)).json(),
  );
  assert.deepEqual([listed.items.length, listed.items.filter((item) => item.phone === "").length], [3, 1]);
  assert.equal((await fleet.states(draft.id))[0], "skipped");
});

Deno.test("POST /api/admin/erasures reaches the free space of pages that rows moved away from, and free pages", async () => {
  await using house = await openAdminHouse();
  const { db } = house.edge.ctx;
  const owner = await house.fleet.addClient(1);
  const campaigns = [];
  for (let count = 0; count < 4; count++) campaigns.push((await house.fleet.addCampaign(owner, 1)).id);
  // Numbers in random order split the pages of their indexes; rows that grow split those of the table. Later many are
  // deleted.
  for (const campaign of campaigns) {
    await db.execute(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO deliveries (campaign, phone, updated_at)
      SELECT ${campaign}, 972580000000 + (i * 7919 + ${campaign} * 104729) % 1000003, 0 FROM n`);
    await db.execute(`UPDATE campaigns SET queued_count = 5001 WHERE id = ${campaign}`);
    await db.execute(
      `UPDATE deliveries SET reason = printf('%080d', id) WHERE campaign = ${campaign} AND id % 3 = 0`,
    );
    await db.execute(`UPDATE deliveries SET reason = NULL WHERE campaign = ${campaign}`);
  }
  const [gone, ...kept] = campaigns;
  const { phone } = await house.fleet.one(
    `SELECT phone FROM deliveries WHERE campaign = ${gone} AND phone > 972580000000 ORDER BY id LIMIT 1 OFFSET 2500`,
  );
  for (const campaign of kept) {
    await db.execute(
      `INSERT OR IGNORE INTO deliveries (campaign, phone, updated_at) VALUES (${campaign}, ${phone}, 0)`,
    );
  }
  await db.execute(`DELETE FROM deliveries WHERE campaign = ${gone}`);
  // Free pages outnumber the pages of the rewritten tables.
  await db.execute({
    sql: `INSERT INTO import_chunks (import, kind, no, bytes)
      VALUES (1, 'raw', 0, CAST(replace(hex(zeroblob(500000)), '00', ?) AS BLOB))`,
    args: [String(phone)],
  });
  await db.execute("DELETE FROM import_chunks");
  const number = `+${phone}`;
  assert.ok((await traces(house, number)).length > 0);
  await erase(house, number);
  assert.deepEqual(await traces(house, number), []);
  assert.deepEqual(await house.fleet.one("PRAGMA integrity_check"), { integrity_check: "ok" });
});

Deno.test("an erasure finds a number split between two pieces of a file, and keeps a file that waits for its import", async () => {
  await using house = await openAdminHouse();
  const { db } = house.edge.ctx;
  const keep = async (id: number, status: string, pieces: string[]) => {
    await db.execute({
      sql: "INSERT INTO imports (id, file_name, status, created_at, updated_at) VALUES (?, 'a.csv', ?, 0, 0)",
      args: [id, status],
    });
    for (const [no, piece] of pieces.entries()) {
      await db.execute({
        sql: "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (?, 'raw', ?, ?)",
        args: [id, no, Buffer.from(piece)],
      });
    }
  };
  await keep(1, "completed", ["טלפון\n054-371", "0968\n"]);
  await keep(2, "queued", ["0543710968\n"]);
  const begun = await erase(house, "0543710968");
  assert.deepEqual([begun.removed.import_chunks, begun.databaseAt], [2, null]);
  const { rows: left } = await db.execute("SELECT import FROM import_chunks");
  assert.deepEqual(left.map((row) => row.import), [2]);

  await db.execute("UPDATE imports SET status = 'completed' WHERE id = 2");
  await eraseNumbers(house.edge.ctx);
  const ended = await certificate(house, begun.id);
  assert.deepEqual([ended.removed.import_chunks, ended.databaseAt === null], [3, false]);
});

Deno.test("an erasure is not scrubbed while a reader keeps the old pages, and does not wait for a revoked site", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite();
  using reader = new DatabaseSync(edge.database.path, { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM users");
  const begun = await erase(house, "0543710968");
  assert.ok(begun.databaseAt !== null && begun.scrubbedAt === null);
  const walBytes = async () => (await Deno.stat(`${edge.database.path}-wal`)).size;
  const written = await walBytes();
  await eraseNumbers(edge.ctx);
  assert.equal(await walBytes(), written, "the file is not written anew at every look");
  reader.exec("COMMIT");
  await eraseNumbers(edge.ctx);
  const scrubbed = await certificate(house, begun.id);
  assert.ok(scrubbed.scrubbedAt !== null && scrubbed.doneAt === null);
  await revokeSite(edge.ctx, site.site);
  await eraseNumbers(edge.ctx);
  assert.ok((await certificate(house, begun.id)).doneAt !== null);
});

Deno.test("an erasure waits for rows that a site holds, and erases them when they settle", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite();
  const campaign = await sendNew(fleet, 2);
  const phone = campaign.phones[0]!;
  const lease = await take(fleet, site, 1);
  const begun = await erase(house, phone);
  assert.equal(begun.databaseAt, null);
  assert.deepEqual(await owed(house, site), [], "a site is not asked for what it still has to tell");
  const asked: string[] = [];
  await eraseNumbers({ ...edge.ctx, db: listening(edge.ctx.db, asked) });
  assert.ok(asked.length > 0);
  const isOfAll = (sql: string) => /FROM events|activity|commands|import_chunks/.test(sql);
  assert.deepEqual(asked.filter(isOfAll), [], "nor is gone through all that is kept, until it has told");
  const { rows: recalls } = await edge.ctx.db.execute("SELECT 1 FROM events WHERE type = 'recall'");
  assert.equal(recalls.length, 1);

  await report(fleet, site, lease, "void");
  await eraseNumbers(edge.ctx);
  assert.equal((await certificate(house, begun.id)).databaseAt, null, "its recall is still to be told");
  assert.deepEqual(await fleet.states(campaign.id), ["skipped", "queued"]);
  assert.equal(await balanceOf(fleet, campaign.client), 1);
  edge.clock.now += 60_000;
  await eraseNumbers(edge.ctx);
  // Given up by its site, it was queued again: by then its number may be an alias that no suppression matches.
  const next = await pull(fleet, site, 5);
  assert.ok(!JSON.stringify(next).includes(phone));
  assert.deepEqual(next?.items.map((item) => item.phone), [campaign.phones[1]]);
  await eraseNumbers(edge.ctx);
  const settled = await certificate(house, begun.id);
  assert.ok(settled.databaseAt !== null && settled.doneAt === null);
  assert.deepEqual(await traces(house, phone), []);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);

  const [item] = await owed(house, site);
  assert.equal(item!.hash, journalHash(item!.key, Number(phone.slice(1))));
  assert.ok(!JSON.stringify(item).includes(phone.slice(4)));
  // The site was asked twice and answers twice: by the second time nothing was left to remove.
  for (const removed of [2, 0]) {
    await handleFrame(edge.ctx, site, { type: "erased", items: [{ id: item!.id, removed }] });
  }
  assert.deepEqual(await owed(house, site), []);
  await eraseNumbers(edge.ctx);
  const done = await certificate(house, begun.id);
  assert.deepEqual(done.sites.map(({ removed }) => removed), [2]);
  assert.ok(done.doneAt !== null);
  if (next) await acknowledge(fleet, site, next.token);
});

Deno.test("the erase frames of two sites share nothing by which one could search the other's numbers", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const campaign = await fleet.addCampaign(await fleet.addClient(1), 1);
  const sites = [await fleet.addSite(1), await fleet.addSite(1)];
  const request = { phone: campaign.phones[0]!, reason: REASON, block: false };
  await startErasure(edge.ctx, house.admin, request);
  edge.clock.now += 60_000;
  await eraseNumbers(edge.ctx);
  const [[first], [second]] = [await owed(house, sites[0]!), await owed(house, sites[1]!)];
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(first.id, second.id);
  assert.notEqual(first.key, second.key);
  assert.notEqual(first.hash, second.hash);
  for (const { key, hash } of [first, second]) {
    assert.equal(hash, journalHash(key, Number(campaign.phones[0]!.slice(1))));
  }
});

Deno.test("a certificate shows what was removed, also when two rounds finish it", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const { db } = edge.ctx;
  const campaign = await fleet.addCampaign(await fleet.addClient(1), 1);
  const request = { phone: campaign.phones[0]!, reason: REASON, block: false };
  const id = await startErasure(edge.ctx, house.admin, request);
  let isDone = false;
  // The tick has read the open erasures while the request that started one continues.
  const execute = async (one: InStatement) => {
    const answer = await db.execute(one);
    if (answer.rows[0]?.phone !== undefined && !isDone) {
      isDone = true;
      await eraseNumbers(edge.ctx);
    }
    return answer;
  };
  const late = { protocol: db.protocol, execute, transaction: () => db.transaction("write") };
  await eraseNumbers({ ...edge.ctx, db: late as unknown as Client });
  assert.ok(isDone);
  const { removed } = await certificate(house, id);
  assert.deepEqual([removed.deliveries, removed.suppressions], [1, 1]);
});

Deno.test("a number suppressed while an erasure waits stays suppressed when it ends", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite();
  const [phone = "", other = ""] = (await sendNew(fleet, 2)).phones;
  const lease = await take(fleet, site, 2);
  const begun = await erase(house, phone, false);
  const quiet = await erase(house, other, false);
  assert.deepEqual([begun.blocked, quiet.blocked], [false, false]);
  const account = `${site.devices[0]}/com.whatsapp/0`;
  await takeReplies(edge.ctx, site, [
    { id: "1".repeat(32), phone, account, decision: "remove", excerpt: "הסר", at: edge.clock.now },
  ]);
  await report(fleet, site, lease, "sent");
  edge.clock.now += 120_000;
  await eraseNumbers(edge.ctx);
  const ended = await certificate(house, begun.id);
  assert.ok(ended.databaseAt !== null && ended.blocked);
  assert.equal((await certificate(house, quiet.id)).blocked, false);
  const isBlocked = await readBlocked(edge.ctx);
  assert.deepEqual([phone, other].map((number) => isBlocked(Number(number.slice(1)))), [true, false]);
  assert.deepEqual(await traces(house, phone), []);
});

Deno.test("an erased and blocked number is accepted by no upload, and gets no test", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const dana = await edge.addPerson({ messageQuota: 5 });
  const [blocked, free] = ["0543710968", "0543710969"];
  await erase(house, blocked);
  await erase(house, free, false);
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  const { id } = await (await dana.ask("/api/campaigns", { method: "POST", body: form })).json();
  const upload = await dana.ask(`/api/campaigns/${id}/contacts/manual`, {
    method: "POST",
    json: { numbers: `${blocked}\n${free}` },
  });
  const { total, suppressed } = uploadResultSchema.parse(await upload.json());
  assert.deepEqual([total, suppressed], [1, 1]);
  assert.equal(
    (await dana.ask(`/api/campaigns/${id}/test`, { method: "POST", json: { phone: blocked } })).status,
    400,
  );
  const { rows } = await edge.ctx.db.execute("SELECT phone FROM deliveries");
  assert.deepEqual(rows.map(({ phone }) => Number(phone)), [972543710969]);
});

Deno.test("a number that is erased and blocked during an upload is not added by it", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const owner = await fleet.addClient(1);
  const { id } = await fleet.addCampaign(owner, 1);
  let isErased = false;
  const { db } = edge.ctx;
  const transaction = async () => {
    if (!isErased) await erase(house, "0543710968");
    isErased = true;
    return await db.transaction("write");
  };
  const during = {
    protocol: db.protocol,
    execute: (one: InStatement) => db.execute(one),
    batch: (all: InStatement[]) => db.batch(all, "write"),
    transaction,
  } as unknown as Client;
  const { result } = await importContacts(
    { ...edge.ctx, db: during },
    { id, client: owner.id, kind: "service" },
    { fileName: "", numbers: "0543710968\n0543710969" },
  );
  assert.ok(isErased);
  assert.deepEqual([result.total, result.suppressed], [1, 1]);
  assert.deepEqual(await tablesThatHold(db, "+972543710968"), []);
});

Deno.test("an erased recipient is not sent to again, whatever was unknown", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const site = await fleet.addSite();
  const client = await edge.addPerson({ messageQuota: 5 });
  const campaign = await sendNew(fleet, 1, client);
  await report(fleet, site, await take(fleet, site, 1), "unknown", { reason: "send_not_verified" });
  await erase(house, campaign.phones[0]!, false);
  const resolve = (as: string) =>
    client.ask(`/api/campaigns/${campaign.id}/deliveries/resolve`, {
      method: "POST",
      json: { ids: "all", as },
    });
  assert.equal((await resolve("resend")).status, 409);
  assert.equal((await resolve("failed")).status, 200);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);
});

Deno.test("an erasure is audited with a mark, requires a reason and a number, and begins once", async () => {
  await using house = await openAdminHouse();
  const { admin, edge, fleet } = house;
  const ask = async (json: unknown) =>
    (await admin.ask("/api/admin/erasures", { method: "POST", json })).status;
  assert.equal(await ask({ phone: "0543710968", reason: "" }), 400);
  assert.equal(await ask({ phone: "12345", reason: REASON }), 400);
  const site = await fleet.addSite();
  const campaign = await sendNew(fleet, 1);
  await take(fleet, site, 1);
  const first = await erase(house, campaign.phones[0]!);
  assert.equal((await erase(house, campaign.phones[0]!)).id, first.id);
  const { rows } = await edge.ctx.db.execute("SELECT data FROM audit_log WHERE kind = 'number_erased'");
  assert.deepEqual(rows.map(({ data }) => JSON.parse(String(data)).number), [first.mark]);
  const request = { phone: "0543710968", reason: `${REASON} 054-371-0968`, block: true };
  assert.equal(await ask(request), 201);
  const { reason } = await fleet.one("SELECT reason FROM erasures ORDER BY id DESC LIMIT 1");
  assert.equal(reason, `${REASON} •••`);
});

Deno.test("readBlocked() recognises a number by its mark, and no other of a hundred thousand", async () => {
  await using fleet = await openFleet();
  fleet.ctx.audit = testAuditParts();
  assert.equal((await readBlocked(fleet.ctx))(972543710968), false);
  await fleet.ctx.db.execute(blockNumber(fleet.ctx, 972543710968));
  const isBlocked = await readBlocked(fleet.ctx);
  assert.equal(isBlocked(972543710968), true);
  for (let phone = 972543600000; phone < 972543700000; phone++) assert.equal(isBlocked(phone), false);
});

Deno.test("POST /api/admin/erasures/effect counts campaigns and waiting messages, and limits guessing", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(1);
  await sendNew(house.fleet, 2);
  await report(house.fleet, site, await take(house.fleet, site), "sent");
  const phone = Number((await house.fleet.one("SELECT min(phone) AS phone FROM deliveries")).phone);
  const ask = (typed: string) =>
    house.admin.ask("/api/admin/erasures/effect", { method: "POST", json: { phone: typed } });
  const effectOf = async (typed: string) => erasureEffectSchema.parse(await (await ask(typed)).json());
  assert.deepEqual(await effectOf(`+${phone}`), { phone: `+${phone}`, campaigns: 1, waiting: 0 });
  const next = await sendNew(house.fleet, 2);
  await house.fleet.ctx.db.execute({
    sql: "UPDATE deliveries SET phone = ? WHERE id = (SELECT min(id) FROM deliveries WHERE campaign = ?)",
    args: [phone, next.id],
  });
  assert.deepEqual(await effectOf(`0${String(phone).slice(3)}`), {
    phone: `+${phone}`,
    campaigns: 2,
    waiting: 1,
  });
  assert.deepEqual(await effectOf("0541112233"), { phone: "+972541112233", campaigns: 0, waiting: 0 });
  assert.equal((await ask("12345")).status, 400);
  const statuses = [];
  for (let last = 0; last < 12; last++) statuses.push((await ask(`05412345${10 + last}`)).status);
  assert.ok(statuses.includes(429), "ten whole numbers in a quarter of an hour");
});
