import assert from "node:assert/strict";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { makeCampaign } from "../testing/make_campaign.ts";

Deno.test("GET /deliveries.csv lists every recipient once, with a byte order mark and Hebrew words", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, {
    client: dana.id,
    status: "active",
    rows: { sent: 1_500, failed: 1_000, queued: 3 },
  });
  await test.ctx.db.execute("UPDATE deliveries SET reason = 'not_on_app' WHERE state = 'failed'");
  const response = await dana.ask(`/api/campaigns/${id}/deliveries.csv`);
  assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.equal(response.headers.get("content-disposition"), `attachment; filename="campaign-${id}.csv"`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.deepEqual(bytes.subarray(0, 3), Uint8Array.of(0xef, 0xbb, 0xbf));
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  assert.equal(lines[0], '"מספר","מצב","סיבה","מספר שולח","ניסיונות","עודכן"');
  assert.equal(lines[1], '"054-000-0001","נשלח","","","0","2026-11-22 10:00:00"');
  assert.equal(lines[1_501], '"054-000-1501","נכשל","אין חשבון במספר הזה","","0","2026-11-22 10:00:00"');
  assert.equal(new Set(lines.slice(1).map((line) => line.slice(0, 14))).size, 2_503);
});

Deno.test("GET /deliveries.csv ends where its last page is full", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { sent: 1_000 } });
  const text = await (await dana.ask(`/api/campaigns/${id}/deliveries.csv`)).text();
  assert.equal(text.trimEnd().split("\r\n").length, 1_001);
});

async function addAccount(test: TestApp, key: string, ownNumber: string | null): Promise<void> {
  await test.ctx.db.executeMultiple(`
    INSERT INTO sites (id, name, created_at) VALUES (1, 'חיפה', 1);
    INSERT INTO devices (id, site, key, address, state, first_seen_at, updated_at) VALUES (1, 1, 'k', 'a', 'online', 1, 1);`);
  await test.ctx.db.execute({
    sql: `INSERT INTO accounts (id, device, site, key, own_number, state, first_seen_at, updated_at)
      VALUES (1, 1, 1, ?, ?, 'ok', 1, 1)`,
    args: [key, ownNumber],
  });
  await test.ctx.db.execute("UPDATE deliveries SET account = 1, site = 1");
}

Deno.test("GET /deliveries.csv contains no formula", async () => {
  await using test = await openTestApp();
  const admin = await test.addPerson({ role: "admin" });
  const id = await makeCampaign(test.ctx, {
    client: admin.id,
    rows: { sent: 1 },
    firstPhone: 447_700_900_123,
  });
  await addAccount(test, '=HYPERLINK("http://x")', null);
  const text = await (await admin.ask(`/api/campaigns/${id}/deliveries.csv`)).text();
  assert.match(text, /^"'\+447700900123","נשלח","","'=HYPERLINK\(""http:\/\/x""\)"/m);
  assert.doesNotMatch(text, /(^|,)"?[=+\-@]/m);
});

Deno.test("GET /deliveries.csv speaks a client's words: the sending number, and 'עמדת שליחה' for a site", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const admin = await test.addPerson({ role: "admin" });
  const id = await makeCampaign(test.ctx, {
    client: dana.id,
    status: "active",
    rows: { sent: 1, leased: 1, unknown: 1 },
  });
  await addAccount(test, "R58M/com.whatsapp/0", "+972559000001");
  await test.ctx.db.execute("UPDATE deliveries SET reason = 'site_silent' WHERE state = 'unknown'");
  const linesFor = async (person: TestPerson) =>
    (await (await person.ask(`/api/campaigns/${id}/deliveries.csv`)).text()).trimEnd().split("\r\n")
      .map((line) => line.split(",").slice(1, 4).join());
  assert.deepEqual(await linesFor(dana), [
    '"מצב","סיבה","מספר שולח"',
    '"נשלח","","055-900-0001"',
    '"ממתין לעמדת השליחה ״חיפה״","","055-900-0001"',
    '"לא ידוע","עמדת השליחה לא דיווחה במשך 24 שעות","055-900-0001"',
  ]);
  assert.deepEqual(await linesFor(admin), [
    '"מצב","סיבה","חשבון"',
    '"נשלח","","R58M/com.whatsapp/0"',
    '"ממתין לאתר חיפה","","R58M/com.whatsapp/0"',
    '"לא ידוע","האתר לא דיווח במשך 24 שעות","R58M/com.whatsapp/0"',
  ]);
  const story = async (person: TestPerson) => {
    const { rows: [row] } = await test.ctx.db.execute("SELECT id FROM deliveries WHERE state = 'unknown'");
    const told = await (await person.ask(`/api/campaigns/${id}/deliveries/${row.id}`)).json();
    return [told.account, told.sender, told.history.at(-1).account, told.history.at(-1).sender];
  };
  assert.deepEqual(await story(dana), [null, "+972559000001", null, "+972559000001"]);
  assert.deepEqual(await story(admin), ["R58M/com.whatsapp/0", null, "R58M/com.whatsapp/0", null]);
});

Deno.test("GET /deliveries.csv says 'טרם נשלח' until the campaign is sent", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const unsent = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 1 } });
  const paused = await makeCampaign(test.ctx, { client: dana.id, status: "paused", rows: { queued: 1 } });
  assert.match(await (await dana.ask(`/api/campaigns/${unsent}/deliveries.csv`)).text(), /"טרם נשלח"/);
  assert.match(await (await dana.ask(`/api/campaigns/${paused}/deliveries.csv`)).text(), /"בתור"/);
});

Deno.test("GET /deliveries.csv hides the middle of the numbers from administrators", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const admin = await test.addPerson({ role: "admin" });
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { sent: 1 } });
  const text = await (await admin.ask(`/api/campaigns/${id}/deliveries.csv`)).text();
  assert.match(text, /"054-•••-0001"/);
});
