import assert from "node:assert/strict";
import { DELIVERY_REASONS, DELIVERY_STATES } from "shared/delivery.ts";
import type { Report } from "shared/report_api.ts";
import { reportSchema } from "shared/report_api.ts";
import { BYTE_ORDER_MARK } from "../http/csv.ts";
import { readTable } from "../tables/read_table.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openTestApp, PROOF, type TestApp, type TestPerson } from "../testing/test_app.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

async function readReport(person: Pick<TestPerson, "ask">, id: number, query = ""): Promise<Report> {
  const answer = await person.ask(`/api/campaigns/${id}/report${query}`);
  assert.equal(answer.status, 200);
  return reportSchema.parse(await answer.json());
}

/** A row of every state and reason, over several days, with values of a field; the counters as triggers keep them. */
async function makeWorld(edge: TestApp, client: number, status = "completed_with_errors"): Promise<number> {
  const { db, now } = edge.ctx;
  const sendAt = now() - 10 * DAY_MS;
  const id = await makeCampaign(edge.ctx, { client, status: "completed_with_errors", sendAt });
  const statements = [];
  let phone = 972_540_000_000;
  for (const state of DELIVERY_STATES) {
    for (const reason of [null, ...DELIVERY_REASONS]) {
      phone += 1;
      const at = sendAt + (phone % 270) * 53 * 60_000;
      statements.push({
        sql: `INSERT INTO deliveries (campaign, phone, state, reason, tapped_at, updated_at, fields)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        args: [
          id,
          phone,
          state,
          reason,
          phone % 2 ? at - 5_000 : null,
          at,
          phone % 3 ? JSON.stringify({ עיר: `עיר ${phone % 5}` }) : null,
        ],
      });
    }
    statements.push({
      sql: `UPDATE campaigns SET ${state}_count = ${1 + DELIVERY_REASONS.length} WHERE id = ?`,
      args: [id],
    });
  }
  await db.batch(statements, "write");
  await db.execute({ sql: "UPDATE campaigns SET status = ? WHERE id = ?", args: [status, id] });
  return id;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

Deno.test("readReport(): every figure is the sum of the rows, with each state and reason", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const id = await makeWorld(edge, dana.id);
  const report = await readReport(dana, id, `?field=${encodeURIComponent("עיר")}`);
  const { rows } = await edge.ctx.db.execute({
    sql: "SELECT state, reason, count(*) AS n FROM deliveries WHERE campaign = ? GROUP BY 1, 2",
    args: [id],
  });
  assert.equal(report.total, sum(rows.map(({ n }) => Number(n))));
  const shown = (await (await dana.ask(`/api/campaigns/${id}`)).json()).counts;
  assert.deepEqual(report.counts, shown, "one truth with the campaign's own counters");
  for (const state of DELIVERY_STATES) {
    const ofState = report.outcomes.filter((one) => one.state === state);
    assert.equal(sum(ofState.map(({ count }) => count)), report.counts[state], state);
    if (state === "queued" || state === "leased") continue;
    for (const reason of [null, ...DELIVERY_REASONS]) {
      const found = ofState.find((one) => one.reason === reason);
      assert.equal(found?.count, 1, `${state} ${reason}`);
    }
  }
  for (const state of ["sent", "failed", "unknown"] as const) {
    assert.equal(sum(report.times.points.map((point) => point[state])), report.counts[state]);
    assert.equal(sum(report.byHour.map((hour) => hour[state])), report.counts[state]);
  }
  for (const state of DELIVERY_STATES) {
    const ofValues = report.field!.values.map((value) => value[state]);
    assert.equal(sum(ofValues) + (report.field!.rest?.[state] ?? 0), report.counts[state], state);
  }
  assert.deepEqual(report.fields, ["עיר"]);
  assert.equal(report.times.step, "day");
  assert.equal(report.places, null, "a client reads nothing of accounts");
});

Deno.test("readReport(): a cancelled campaign counts as its counters do before the rows are rewritten", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "cancelled",
    sendAt: edge.clock.now,
    rows: { sent: 2, queued: 3 },
  });
  await edge.ctx.db.execute(`UPDATE campaigns SET queued_count = 0, cancelled_count = 3 WHERE id = ${id}`);
  const { counts, outcomes } = await readReport(dana, id);
  assert.deepEqual([counts.queued, counts.cancelled], [0, 3]);
  assert.deepEqual(outcomes.map(({ state, count }) => [state, count]), [["cancelled", 3], ["sent", 2]]);
});

Deno.test("readReport(): an hour without outcomes is a point too, and a site's clock cannot stretch the time", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const sendAt = edge.clock.now;
  const id = await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "completed",
    sendAt,
    rows: { sent: 3 },
  });
  const taps = [sendAt, sendAt + 4 * HOUR_MS, 0];
  for (const [index, tappedAt] of taps.entries()) {
    await edge.ctx.db.execute({
      sql: "UPDATE deliveries SET tapped_at = ?, updated_at = ? WHERE campaign = ? AND phone = ?",
      args: [tappedAt, sendAt + 4 * HOUR_MS + 1, id, 972_540_000_001 + index],
    });
  }
  const { times, byHour } = await readReport(dana, id);
  assert.equal(times.step, "hour");
  assert.deepEqual(times.points.map(({ sent }) => sent), [2, 0, 0, 0, 1]);
  assert.equal(times.points[0]!.at, sendAt);
  assert.equal(byHour[10]!.sent, 2, "10:00 in Jerusalem");
});

Deno.test("readReport(): removals have their time, and those whose time is forgotten are still counted", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const sendAt = edge.clock.now;
  const id = await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "completed",
    sendAt,
    rows: { sent: 5 },
  });
  await edge.ctx.db.execute({
    sql: `INSERT INTO replies (campaign, client, phone, site, reply, state, excerpt, at, received_at)
      VALUES (?, ?, 972540000001, 1, 'a', 'removed', '', ?, 1), (?, ?, 972540000002, 1, 'b', 'waiting', '', ?, 1)`,
    args: [id, dana.id, sendAt + HOUR_MS, id, dana.id, sendAt],
  });
  await edge.ctx.db.execute(`UPDATE campaigns SET opted_out_count = 3 WHERE id = ${id}`);
  const { removals, times } = await readReport(dana, id);
  assert.deepEqual(removals, { total: 3, undated: 2 });
  assert.deepEqual(times.points.map((point) => point.removals), [0, 1]);
});

Deno.test("readReport(): an administrator sees accounts, and a field's values only while they see the numbers", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const admin = await edge.addPerson({ role: "admin" });
  const id = await makeWorld(edge, dana.id);
  await edge.ctx.db.executeMultiple(`
    INSERT INTO sites (id, name, created_at) VALUES (1, 'חיפה', 1);
    INSERT INTO devices (id, site, key, address, model, state, first_seen_at, updated_at)
      VALUES (1, 1, 'k', 'a', 'Pixel', 'online', 1, 1);
    INSERT INTO accounts (id, device, site, key, state, first_seen_at, updated_at)
      VALUES (1, 1, 1, 'k/com.whatsapp/0', 'ok', 1, 1);
    UPDATE deliveries SET account = 1, site = 1 WHERE state IN ('sent', 'failed');`);
  const query = `?field=${encodeURIComponent("עיר")}`;
  const masked = await readReport(admin, id, query);
  assert.equal(masked.client, dana.username);
  assert.deepEqual(masked.places, [{
    sent: masked.counts.sent,
    failed: masked.counts.failed,
    unknown: 0,
    site: "חיפה",
    name: "Pixel",
    account: "com.whatsapp/0",
  }]);
  assert.ok(masked.field!.isMasked);
  assert.ok(!JSON.stringify(masked).includes("עיר 1"));
  const file = await (await admin.ask(`/api/campaigns/${id}/report.csv${query}`)).text();
  assert.ok(!file.includes("עיר 1"));

  const shown = await admin.ask(`/api/admin/campaigns/${id}/numbers`, {
    method: "POST",
    json: { reason: "בדיקה של תלונה", proof: PROOF },
  });
  assert.equal(shown.status, 200);
  assert.ok((await readReport(admin, id, query)).field!.values.some(({ value }) => value === "עיר 1"));
});

Deno.test("readReport(): a field of names divides nobody, and is refused as such", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "completed",
    sendAt: edge.clock.now,
    rows: { sent: 6_000 },
  });
  await edge.ctx.db.execute(
    `UPDATE deliveries SET fields = json_object('שם', 'n' || id, 'עיר', 'c' || (id % 30))`,
  );
  const names = await readReport(dana, id, `?field=${encodeURIComponent("שם")}`);
  assert.deepEqual([names.field!.hasTooMany, names.field!.values.length], [true, 0]);
  assert.equal(names.total, 6_000);
  const cities = await readReport(dana, id, `?field=${encodeURIComponent("עיר")}`);
  assert.equal(cities.field!.values.length, 20);
  assert.deepEqual([cities.field!.rest!.values, cities.field!.rest!.sent], [10, 2_000]);
});

Deno.test("readReport(): compares with the client's ended campaigns alone, and with no one else's", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const other = await edge.addPerson();
  const sendAt = edge.clock.now - DAY_MS;
  const made = (client: number, name: string, rows: object, status = "completed") =>
    makeCampaign(edge.ctx, { client, name, rows, sendAt, status: status as "completed" });
  await made(dana.id, "א", { sent: 10, failed: 2 });
  const moved = await made(dana.id, "נשלח אחר כך", { sent: 10 });
  await edge.ctx.db.execute(`UPDATE campaigns SET send_at = send_at + 9 WHERE id = ${moved}`);
  await made(other.id, "זר", { sent: 10 });
  await made(dana.id, "טיוטה", { queued: 10 }, "ready");
  await made(dana.id, "בוטל", { cancelled: 10 }, "cancelled");
  const id = await made(dana.id, "ב", { sent: 4 });
  await made(dana.id, "אחרי", { sent: 4 });
  await edge.ctx.db.execute(`UPDATE campaigns SET send_at = send_at + 1 WHERE id = ${id}`);
  const { earlier } = await readReport(dana, id);
  assert.deepEqual(earlier.map(({ name, total }) => [name, total]), [["א", 12]]);
});

Deno.test("readReport(): the outcomes stay when the numbers are forgotten, and the values go", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const id = await makeWorld(edge, dana.id);
  const before = await readReport(dana, id);
  await edge.ctx.db.execute({
    sql: "UPDATE deliveries SET phone = -id, fields = NULL WHERE campaign = ? AND state <> 'leased'",
    args: [id],
  });
  const after = await readReport(dana, id, `?field=${encodeURIComponent("עיר")}`);
  assert.deepEqual(after.counts, before.counts);
  assert.deepEqual(after.times, before.times);
  assert.ok(after.field!.values[0]!.value === "");
});

Deno.test("the report's file has stable names, Hebrew headings, and times with their zone", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const id = await makeWorld(edge, dana.id);
  const report = await readReport(dana, id);
  const text = await (await dana.ask(`/api/campaigns/${id}/report.csv`)).text();
  const lines = text.replace(BYTE_ORDER_MARK, "").trimEnd().split("\r\n");
  assert.equal(
    lines[0],
    '"section","name","label","start","end","recipients","queued","leased","sent","failed","unknown","skipped","cancelled","removals"',
  );
  assert.match(lines[1]!, /^"חלק בדוח","שם","בעברית"/);
  assert.match(lines[2]!, /^"summary","סתיו","הקמפיין","2026-11-12T10:00:00\+02:00"/);
  const cells = (section: string) =>
    lines.filter((line) => line.startsWith(`"${section}"`)).map((line) => line.slice(1, -1).split('","'));
  assert.equal(sum(cells("outcome").map((row) => Number(row[5]))), report.total);
  assert.equal(sum(cells("day").map((row) => Number(row[8]))), report.counts.sent);
  assert.equal(cells("hour_of_day").length, 24);
  const workbook = new Uint8Array(await (await dana.ask(`/api/campaigns/${id}/report.xlsx`)).arrayBuffer());
  const sheet: string[][] = [];
  for await (const { cells } of readTable(workbook)) sheet.push(cells);
  assert.deepEqual(
    sheet.map((cells) => cells.join("|")),
    lines.map((line) => line.slice(1, -1).split('","').join("|")),
  );
  const { rows } = await edge.ctx.db.execute("SELECT data FROM audit_log WHERE kind = 'exported'");
  assert.deepEqual(rows.map(({ data }) => JSON.parse(String(data)).what), ["report", "report"]);
});

Deno.test("recipients.csv has codes beside words, and masks numbers for an administrator", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const admin = await edge.addPerson({ role: "admin" });
  const id = await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "completed_with_errors",
    sendAt: edge.clock.now,
    rows: { sent: 300, failed: 300 },
  });
  await edge.ctx.db.execute("UPDATE deliveries SET reason = 'not_on_app' WHERE state = 'failed'");
  const text = await (await dana.ask(`/api/campaigns/${id}/recipients.csv`)).text();
  const lines = text.replace(BYTE_ORDER_MARK, "").trimEnd().split("\r\n");
  assert.equal(lines.length, 602);
  assert.equal(
    lines[0],
    '"phone","state","state_label","reason","reason_label","sender","attempts","updated_at"',
  );
  assert.equal(
    lines[302],
    '"054-000-0301","failed","נכשל","not_on_app","אין חשבון במספר הזה","","0","2026-11-22T10:00:00+02:00"',
  );
  const masked = await (await admin.ask(`/api/campaigns/${id}/recipients.csv`)).text();
  assert.ok(!masked.includes("054-000-0301"));
});

Deno.test("readReport(): a long list is read in slices that let other requests run", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, {
    client: dana.id,
    status: "completed",
    sendAt: edge.clock.now,
    rows: { sent: 20_000 },
  });
  const order: string[] = [];
  const report = readReport(dana, id).then(() => order.push("report"));
  for (let n = 0; n < 3; n++) {
    await (await dana.ask("/api/auth/me")).body?.cancel();
    order.push("request");
  }
  await report;
  assert.deepEqual(order, ["request", "request", "request", "report"]);
});
