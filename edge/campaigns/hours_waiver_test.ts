import assert from "node:assert/strict";
import { adminCampaignDetailSchema } from "shared/admin_api.ts";
import { MAX_VALID_MS } from "shared/lease.ts";
import { migrateDatabase, readSchema } from "../db/migrate.ts";
import { START } from "../testing/fleet.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { acknowledge, pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { passTo, sendMarketing, setRules } from "../testing/rules.ts";
import { openTestDatabase } from "../testing/test_db.ts";

const REASON = "ביטול תורים של מחר";
const SUNDAY_EVENING = "2026-11-22T19:58:00+02:00";
const NIGHT = "2026-11-22T23:00:00+02:00";

const path = (id: number) => `/api/admin/campaigns/${id}/hours-waiver`;

async function waive({ admin }: AdminHouse, id: number, reason = REASON): Promise<[number, string?]> {
  const answer = await admin.ask(path(id), { method: "POST", json: { reason } });
  return answer.status === 204 ? [204] : [answer.status, (await answer.json()).code];
}

async function hoursOf(house: AdminHouse, id: number) {
  return adminCampaignDetailSchema.parse(await house.read(`/api/admin/campaigns/${id}`)).hours;
}

async function audited({ edge }: AdminHouse): Promise<unknown[]> {
  const { rows } = await edge.ctx.db.execute(
    "SELECT kind, actor, campaign, data FROM audit_log WHERE kind LIKE 'hours%' ORDER BY id",
  );
  return rows.map(({ kind, actor, campaign, data }) => [kind, actor, campaign, JSON.parse(String(data))]);
}

async function openNight() {
  const house = await openAdminHouse();
  await setRules(house.fleet, { serviceHoursEnforced: true });
  passTo(house.fleet, NIGHT);
  return house;
}

Deno.test("service ignores the hours until the settings say otherwise, under any kind name", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(1);
  passTo(fleet, NIGHT);
  await fleet.reconnect(site);
  const { id } = await sendNew(fleet, 4);
  await report(fleet, site, await take(fleet, site, 1), "sent");
  await setRules(fleet, { serviceHoursEnforced: true });
  assert.equal(await pull(fleet, site, 1), null, "undeclared counts as service");
  await fleet.ctx.db.execute(`UPDATE campaigns SET kind = 'service' WHERE id = ${id}`);
  assert.equal(await pull(fleet, site, 1), null);
  passTo(fleet, "2026-11-23T09:00:00+02:00");
  await fleet.reconnect(site);
  assert.equal((await pull(fleet, site, 1))?.campaign, id);
});

Deno.test("waiveHours() lets one service campaign send at night, and restoreHours() stops it again", async () => {
  await using house = await openNight();
  const { fleet, admin } = house;
  const site = await fleet.addSite(1);
  const [one, other] = [await sendNew(fleet, 4), await sendNew(fleet, 4)];
  assert.equal(await pull(fleet, site, 1), null);
  assert.deepEqual(await waive(house, one.id), [204]);
  const lease = await pull(fleet, site, 1);
  assert.equal(lease?.campaign, one.id);
  const { items } = await acknowledge(fleet, site, lease.token);
  assert.deepEqual(items.map(({ validMs }) => validMs), [MAX_VALID_MS], "no closing bounds it");
  await report(fleet, site, lease, "sent");
  assert.equal((await take(fleet, site, 1)).campaign, one.id, "the other one waits on");

  const offered = await pull(fleet, await fleet.addSite(1), 1);
  assert.equal(offered?.campaign, one.id);
  assert.equal((await admin.ask(path(one.id), { method: "DELETE" })).status, 204);
  assert.equal(await pull(fleet, await fleet.addSite(1), 1), null);
  assert.deepEqual(await hoursOf(house, one.id), { kept: true, waived: null });
  assert.deepEqual(await hoursOf(house, other.id), { kept: true, waived: null });
});

Deno.test("acknowledgeLease() confirms nothing after a service's waiver was withdrawn, nor after closing", async () => {
  await using house = await openAdminHouse();
  const { fleet, admin } = house;
  await setRules(fleet, { serviceHoursEnforced: true });
  const [site, slow] = [await fleet.addSite(1), await fleet.addSite(1)];
  passTo(fleet, SUNDAY_EVENING);
  for (const one of [site, slow]) await fleet.reconnect(one);
  const { id } = await sendNew(fleet, 4);
  const lease = await pull(fleet, site, 1);
  const { items } = await acknowledge(fleet, site, lease!.token);
  assert.deepEqual(items.map(({ validMs }) => validMs), [120_000]);
  passTo(fleet, NIGHT);
  await fleet.reconnect(slow);
  await waive(house, id);
  const offered = await pull(fleet, slow, 1);
  await admin.ask(path(id), { method: "DELETE" });
  assert.deepEqual((await acknowledge(fleet, slow, offered!.token)).items, []);
});

Deno.test("waiveHours() refuses marketing, and a waiver written on marketing has no effect", async () => {
  await using house = await openNight();
  const { fleet } = house;
  const site = await fleet.addSite(1);
  const marketing = await sendMarketing(fleet, 3);
  assert.deepEqual(await waive(house, marketing.id), [409, "advertising_keeps_hours"]);
  assert.deepEqual(await audited(house), []);
  await fleet.ctx.db.execute(`UPDATE campaigns SET hours_waived_at = 1 WHERE id = ${marketing.id}`);
  assert.equal(await pull(fleet, site, 1), null);
  const service = await sendNew(fleet, 3);
  await waive(house, service.id);
  await fleet.ctx.db.execute(
    `UPDATE campaigns SET kind = 'marketing', sent_text = message WHERE id = ${service.id}`,
  );
  assert.equal(await pull(fleet, site, 1), null, "nor one that was a service");
  await fleet.ctx.db.execute(`UPDATE campaigns SET kind = 'service' WHERE id = ${service.id}`);
  assert.equal(await pull(fleet, site, 1), null, "and it has to be waived anew");
  assert.equal((await hoursOf(house, service.id)).waived, null);
});

Deno.test("waiveHours() requires a reason, audits actor, campaign and reason, and notifies screens and sites", async () => {
  await using house = await openNight();
  const { fleet, admin, edge } = house;
  const owner = await edge.addPerson({ messageQuota: 5 });
  const { id } = await sendNew(fleet, 2, owner);
  for (const reason of ["  א ", "א".repeat(201)]) {
    assert.deepEqual(await waive(house, id, reason), [400, "invalid_input"]);
  }
  assert.deepEqual(await waive(house, id + 1), [404, "not_found"]);
  await fleet.ctx.db.execute("DELETE FROM events");
  await waive(house, id, ` ${REASON}: 054-371-0968 `);
  const waived = { at: edge.clock.now, by: admin.username, reason: `${REASON}: •••` };
  assert.deepEqual(await hoursOf(house, id), { kept: true, waived });
  const { rows } = await fleet.ctx.db.execute("SELECT type FROM events ORDER BY id");
  assert.deepEqual(rows.map(({ type }) => type), ["activity", "campaign_changed", "workWaiting"]);
  const own = await (await owner.ask(`/api/campaigns/${id}`)).json();
  assert.ok(own.notices.some(({ code }: { code: string }) => code === "hours_waived"));
  assert.ok(!JSON.stringify(own).includes(REASON), "the reason is the administrators'");
  await fleet.ctx.db.execute("DELETE FROM events");
  for (const _ of [1, 2]) assert.equal((await admin.ask(path(id), { method: "DELETE" })).status, 204);
  assert.deepEqual(await audited(house), [
    ["hours_waived", admin.id, id, { reason: waived.reason }],
    ["hours_restored", admin.id, id, {}],
  ]);
  const { rows: restored } = await fleet.ctx.db.execute("SELECT DISTINCT type FROM events ORDER BY type");
  assert.deepEqual(restored.map(({ type }) => type), ["activity", "campaign_changed"]);
});

Deno.test("waiveHours() refuses a campaign that can still be edited, and one that has ended", async () => {
  await using house = await openNight();
  const { id } = await sendNew(house.fleet, 2);
  // The campaign of this house was sent, and no writer makes it a draft again.
  await house.fleet.ctx.db.execute("DROP TRIGGER campaigns_taken_back");
  for (const status of ["draft", "ready"]) {
    await house.fleet.ctx.db.execute(`UPDATE campaigns SET status = '${status}' WHERE id = ${id}`);
    assert.deepEqual(await waive(house, id), [409, "campaign_state"]);
  }
  await house.fleet.ctx.db.execute(`UPDATE campaigns SET status = 'cancelled' WHERE id = ${id}`);
  assert.deepEqual(await waive(house, id), [409, "campaign_state"]);
  const { id: test } = await sendNew(house.fleet, 1);
  await house.fleet.ctx.db.execute(`UPDATE campaigns SET test_of = ${id} WHERE id = ${test}`);
  assert.deepEqual(await waive(house, test), [409, "campaign_state"], "a test has those of its campaign");
  assert.ok(house.edge.clock.now > START);
});

Deno.test("a waiver that an older release gave to an editable campaign ends with the update, and this is audited", async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { db } = database;
  const schema = await readSchema();
  const before = schema.migrations.filter(({ name }) => name < "0012");
  await migrateDatabase(db, { migrations: before, rules: null });
  const statuses = ["draft", "ready", "active"];
  await db.execute(
    "INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES ('a', 'a', '', 'client', 0)",
  );
  await db.batch(
    statuses.map((status) => ({
      sql: `INSERT INTO campaigns (client, name, message, status, created_at, updated_at, hours_waived_at)
        VALUES (1, '', '', ?, 0, 0, 7)`,
      args: [status],
    })),
    "write",
  );
  await migrateDatabase(db, schema);
  const { rows } = await db.execute("SELECT status FROM campaigns WHERE hours_waived_at IS NOT NULL");
  assert.deepEqual(rows.map(({ status }) => status), ["active"]);
  const { rows: ended } = await db.execute("SELECT campaign FROM audit_log WHERE kind = 'hours_restored'");
  assert.deepEqual(ended.map(({ campaign }) => campaign), [1, 2]);
});
