import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";
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
  assert.equal(lines[0], '"מספר","מצב","סיבה","חשבון","ניסיונות","עודכן"');
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

Deno.test("GET /deliveries.csv contains no formula", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, {
    client: dana.id,
    rows: { sent: 1 },
    firstPhone: 447_700_900_123,
  });
  await test.ctx.db.executeMultiple(`
    INSERT INTO sites (id, name, created_at) VALUES (1, 'א', 1);
    INSERT INTO devices (id, site, key, address, state, first_seen_at, updated_at) VALUES (1, 1, 'k', 'a', 'online', 1, 1);
    INSERT INTO accounts (id, device, site, key, state, first_seen_at, updated_at)
      VALUES (1, 1, 1, '=HYPERLINK("http://x")', 'ok', 1, 1);
    UPDATE deliveries SET account = 1, site = 1;`);
  const text = await (await dana.ask(`/api/campaigns/${id}/deliveries.csv`)).text();
  assert.match(text, /^"'\+447700900123","נשלח","","'=HYPERLINK\(""http:\/\/x""\)"/m);
  assert.doesNotMatch(text, /(^|,)"?[=+\-@]/m);
});

Deno.test("GET /deliveries.csv hides the middle of the numbers from administrators", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const admin = await test.addPerson({ role: "admin" });
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { sent: 1 } });
  const text = await (await admin.ask(`/api/campaigns/${id}/deliveries.csv`)).text();
  assert.match(text, /"054-•••-0001"/);
});
