import assert from "node:assert/strict";
import { campaignSchema, testStartedSchema } from "shared/http_api.ts";
import type { Client } from "@libsql/client/web";
import { TESTS_PER_DAY } from "shared/campaign.ts";
import { importContacts } from "../contacts/import_contacts.ts";
import type { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { auditQueue } from "../queue/audit.ts";
import { addPersonal } from "../testing/personal.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { startErasure } from "../privacy/start_erasure.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import type { TestPerson } from "../testing/test_app.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { readCampaign } from "./read.ts";
import { sendTest } from "./test_send.ts";

const DAY_MS = 24 * 60 * 60_000;

function test(person: Pick<TestPerson, "ask">, id: number, phone = "054-371-0968") {
  return person.ask(`/api/campaigns/${id}/test`, { method: "POST", json: { phone } });
}

Deno.test("POST /test sends a campaign's text to one number for one unit, in no list and ahead of the rest", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const dana = await house.edge.addPerson({ messageQuota: 10 });
  const site = await fleet.addSite(1);
  await sendNew(fleet, 5, dana);
  const id = await makeCampaign(fleet.ctx, { client: dana.id, status: "draft" });
  const started = testStartedSchema.parse(await (await test(dana, id)).json());
  assert.deepEqual([started.remainingQuota, started.remainingToday], [4, TESTS_PER_DAY - 1]);
  const listed: { id: number }[] = await (await dana.ask("/api/campaigns")).json();
  assert.ok(!listed.some((campaign) => campaign.id === started.campaignId));
  const hidden = campaignSchema.parse(await (await dana.ask(`/api/campaigns/${started.campaignId}`)).json());
  assert.deepEqual([hidden.status, hidden.totalContacts, hidden.message], ["processing", 1, "שלום"]);
  const lease = await pull(fleet, site);
  assert.deepEqual([lease?.campaign, lease?.items.map(({ phone }) => phone)], [
    started.campaignId,
    ["+972543710968"],
  ]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("POST /test is allowed five times a day, also for requests at once", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 20 });
  const id = await makeCampaign(house.fleet.ctx, { client: dana.id });
  const statuses = async (times: number) =>
    (await Promise.all(Array.from({ length: times }, () => test(dana, id)))).map(({ status }) => status)
      .sort();
  assert.deepEqual(await statuses(7), [200, 200, 200, 200, 200, 429, 429]);
  const refused = await test(dana, id);
  assert.equal(refused.headers.get("retry-after"), String(14 * 60 * 60), "until midnight in Israel");
  house.fleet.pass(DAY_MS / 2);
  house.fleet.pass(3 * 60 * 60_000);
  const again = await house.edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: dana.username, password: "correct horse" },
  });
  const cookie = again.headers.getSetCookie()[0]!.split(";")[0]!;
  const tomorrow = await dana.ask(`/api/campaigns/${id}/test`, {
    method: "POST",
    json: { phone: "0543710968" },
    headers: { cookie },
  });
  assert.equal(tomorrow.status, 200);
});

Deno.test("POST /test leaves nothing when it is refused", async () => {
  await using house = await openAdminHouse();
  const dana = await house.edge.addPerson({ messageQuota: 1 });
  const id = await makeCampaign(house.fleet.ctx, { client: dana.id, status: "draft" });
  await house.fleet.ctx.db.execute(
    "INSERT INTO suppressions (phone, source, at) VALUES (972521111111, 'reply', 0)",
  );
  const refused = async (phone?: string, person: Pick<TestPerson, "ask"> = dana) => {
    const answer = await test(person, id, phone);
    return [answer.status, (await answer.json()).code];
  };
  assert.deepEqual(await refused("12"), [400, "invalid_input"]);
  assert.deepEqual(await refused("0521111111"), [400, "invalid_input"]);
  assert.deepEqual(await refused(undefined, house.admin), [403, "not_allowed"]);
  assert.equal((await test(dana, id)).status, 200);
  assert.deepEqual(await refused(), [402, "quota_short"]);
  const { n } = await house.fleet.one("SELECT count(*) AS n FROM campaigns WHERE test_of IS NOT NULL");
  assert.equal(n, 1);
  assert.deepEqual(await auditQueue(house.fleet.ctx.db), []);
});

Deno.test("sendTest() keeps a sent test when a later step fails", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const dana = await house.edge.addPerson({ messageQuota: 5 });
  const id = await makeCampaign(ctx, { client: dana.id, status: "draft" });
  const user: SessionUser = { id: dana.id, username: dana.username, role: "client", sessionHash: "" };
  const campaign = await readCampaign(ctx, user, id);
  const batch: Client["batch"] = (statements, mode) => {
    if (JSON.stringify(statements).includes("test_sent")) throw new Error("The disk is full");
    return ctx.db.batch(statements, mode);
  };
  const db = {
    protocol: ctx.db.protocol,
    execute: (...args: Parameters<Client["execute"]>) => ctx.db.execute(...args),
    batch,
  } as Client;
  await assert.rejects(
    sendTest({ ...ctx, db }, user, campaign, { phone: "0543710968" }),
    /disk is full/,
  );
  const test = await house.fleet.one(
    "SELECT id, status, queued_count FROM campaigns WHERE test_of IS NOT NULL",
  );
  assert.deepEqual([test.status, test.queued_count], ["processing", 1]);
  assert.deepEqual(await house.fleet.states(Number(test.id)), ["queued"]);
  assert.deepEqual(await auditQueue(ctx.db), []);
});

Deno.test("a test to oneself accepts no contacts, text or pictures, also before it is sent", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const dana = await house.edge.addPerson({ messageQuota: 5 });
  const id = await makeCampaign(ctx, { client: dana.id, status: "draft" });
  const hidden = await makeCampaign(ctx, { client: dana.id });
  await ctx.db.execute({ sql: "UPDATE campaigns SET test_of = ? WHERE id = ?", args: [id, hidden] });
  const json = { numbers: "0543710969" };
  const statusOf = async (path: string, method: string, json: unknown) =>
    (await dana.ask(`/api/campaigns/${hidden}${path}`, { method, json })).status;
  assert.equal(await statusOf("/contacts/manual", "POST", json), 404);
  assert.equal(await statusOf("", "PATCH", { message: "אחר" }), 404);
  const target = { id: hidden, client: dana.id, kind: "service" } as const;
  await assert.rejects(
    importContacts(ctx, target, { fileName: "", numbers: json.numbers }),
    (error: HttpError) => error.body.code === "not_found",
  );
});

Deno.test("POST /test sends a personal message with the values of one row, and keeps them no longer than the test", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const dana = await house.edge.addPerson({ messageQuota: 10 });
  const site = await fleet.addSite(1);
  const { id, phones } = await addPersonal(fleet, {
    message: "שלום {{שם}} מ{{עיר|כאן}}",
    values: [{ שם: "נועה" }, { שם: "{{עיר}}", עיר: "חיפה" }, null],
    client: dana,
  });
  const { rows } = await fleet.ctx.db.execute(`SELECT id FROM deliveries WHERE campaign = ${id} ORDER BY id`);
  const send = async (row?: unknown) => {
    const json = { phone: "054-371-0968", ...(row === undefined ? {} : { row }) };
    const answer = await dana.ask(`/api/campaigns/${id}/test`, { method: "POST", json });
    return answer.ok ? testStartedSchema.parse(await answer.json()).campaignId : (await answer.json()).code;
  };
  assert.equal(await send(), "values_missing");
  assert.equal(await send(rows[2]!.id), "values_missing");
  assert.equal(await send(999_999), "not_found");
  const texts = [];
  for (const { id: row } of rows.slice(0, 2)) {
    const test = await send(row);
    const lease = await take(fleet, site);
    assert.equal(lease.campaign, test);
    texts.push(lease.items.map(({ text }) => text));
    await report(fleet, site, lease, "sent");
    assert.equal((await fleet.one(`SELECT fields FROM deliveries WHERE campaign = ${test}`)).fields, null);
  }
  assert.deepEqual(texts, [["שלום נועה מכאן"], ["שלום {{עיר}} מחיפה"]]);
  // One that nobody took yet: an erasure finds the values of its recipient.
  const waiting = await send(rows[0]!.id);
  await startErasure(fleet.ctx, { id: 1 }, { phone: phones[0]!, reason: "בקשה", block: false });
  await eraseNumbers(fleet.ctx);
  assert.equal((await fleet.one(`SELECT fields FROM deliveries WHERE campaign = ${waiting}`)).fields, null);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("an erasure waits for a test that has the person's values at its site, and asks the sites after it", async () => {
  await using house = await openAdminHouse();
  const { fleet, edge } = house;
  const dana = await edge.addPerson({ messageQuota: 10 });
  const site = await fleet.addSite(1);
  const { id, phones } = await addPersonal(fleet, {
    message: "שלום {{שם}}",
    values: [{ שם: "נועה" }],
    client: dana,
  });
  const { id: row } = await fleet.one(`SELECT id FROM deliveries WHERE campaign = ${id}`);
  const json = { phone: "054-371-0968", row: Number(row) };
  assert.equal((await dana.ask(`/api/campaigns/${id}/test`, { method: "POST", json })).status, 200);
  const lease = await take(fleet, site);
  await startErasure(fleet.ctx, { id: 1 }, { phone: phones[0]!, reason: "בקשה", block: false });
  const isOver = async () => {
    edge.clock.now += 61_000;
    await eraseNumbers(fleet.ctx);
    return (await fleet.one("SELECT database_at FROM erasures")).database_at !== null;
  };
  assert.equal(await isOver(), false);
  assert.equal(await isOver(), false);
  await report(fleet, site, lease, "sent");
  assert.equal(await isOver(), true);
  assert.ok(Number((await fleet.one(`SELECT phone FROM deliveries WHERE id = ${row}`)).phone) < 0);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});
