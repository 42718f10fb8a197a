import assert from "node:assert/strict";
import { deviceDetailSchema, riskSchema } from "shared/admin_api.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";

Deno.test("GET /api/admin/devices/{id} returns the phone, its accounts and latest outcomes, with masked numbers", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(1, 2);
  const campaign = await sendNew(fleet, 6);
  const first = await take(fleet, site, 2);
  await report(fleet, site, { ...first, items: first.items.slice(0, 1) }, "sent");
  fleet.pass(1_000);
  await report(fleet, site, { ...first, items: first.items.slice(1) }, "failed");
  fleet.pass(1_000);
  const held = await take(fleet, site, 1);
  await house.admin.ask("/api/admin/devices/1/identify", { method: "POST" });
  const device = deviceDetailSchema.parse(await house.read("/api/admin/devices/1"));
  assert.deepEqual(
    [device.serial, device.name, device.adbConnected, device.usedToday, device.capPerDay, device.held],
    [site.devices[0], "Pixel", true, 3, 250, 1],
  );
  assert.deepEqual(device.site, {
    id: site.site,
    name: "אתר 1",
    connected: true,
    lastSeenAt: fleet.ctx.now(),
  });
  assert.equal(device.accounts.length, 2);
  assert.equal(device.accounts.reduce((sum, { sent24h, failed24h }) => sum + sent24h + failed24h, 0), 2);
  assert.deepEqual(device.deliveries.map(({ state }) => state), ["leased", "failed", "sent"]);
  assert.equal(device.deliveries[1]!.reason, "not_on_app");
  assert.deepEqual(device.deliveries[0]!.phone, "+97254•••0003");
  assert.ok(
    device.deliveries.every(({ campaignId, campaignName }) => campaignId === campaign.id && campaignName),
  );
  assert.deepEqual(device.commands.map(({ kind, status }) => [kind, status]), [["identify", "waiting"]]);
  assert.equal(held.items.length, 1);
  assert.equal((await house.admin.ask("/api/admin/devices/9")).status, 404);
});

Deno.test("GET /api/admin/devices/{id} returns about the last fifty outcomes of any number", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(1);
  await sendNew(fleet, 120);
  await fleet.ctx.db.execute(
    "INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '500', 0)",
  );
  for (let left = 120; left > 0;) {
    const lease = await take(fleet, site);
    await report(fleet, site, lease, "sent");
    fleet.pass(3_000);
    left -= lease.items.length;
  }
  const { deliveries } = deviceDetailSchema.parse(await house.read("/api/admin/devices/1"));
  assert.equal(deliveries.length, 50);
  const ids = deliveries.map(({ id }) => id);
  assert.equal(Math.max(...ids), 120);
  assert.ok(Math.min(...ids) >= 70, "the newest");
});

Deno.test("GET /api/admin/risk puts each device in a tier by its worst account, with the reasons", async () => {
  await using house = await openAdminHouse();
  await house.fleet.addSite(4, 2);
  const { db } = house.fleet.ctx;
  await db.execute("UPDATE accounts SET state = 'banned', updated_at = 7 WHERE id = 1");
  await db.execute("UPDATE accounts SET state = 'logged_out', updated_at = 8 WHERE id = 3");
  const risk = riskSchema.parse(await house.read("/api/admin/risk?limit=1"));
  assert.deepEqual(
    risk.tiers.map(({ tier, count, percent, items }) => [tier, count, percent, items.length]),
    [
      ["high", 1, 25, 1],
      ["medium", 1, 25, 1],
      ["low", 2, 50, 1],
    ],
  );
  assert.deepEqual(risk.tiers.map(({ items: [first] }) => first!.reason), [
    "החשבון נחסם.",
    "החשבון נותק במכשיר. צריך להתחבר אליו מחדש בטלפון עצמו.",
    "אין סימנים חריגים.",
  ]);
  assert.deepEqual(risk.lastBan, { deviceId: 1, name: "Pixel · S1D1", at: 7 });
  assert.equal((await house.admin.ask("/api/admin/risk?limit=0")).status, 400);
});

Deno.test("GET /api/admin/devices.csv has a line for each account, in Hebrew, without formulas", async () => {
  await using house = await openAdminHouse();
  await house.fleet.addSite(2, 2);
  await house.fleet.ctx.db.execute("DELETE FROM accounts WHERE device = 2");
  await house.fleet.ctx.db.execute(`UPDATE devices SET model = '=1+1', stopped = 1 WHERE id = 2`);
  const answer = await house.admin.ask("/api/admin/devices.csv");
  assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  assert.deepEqual(bytes.subarray(0, 3), Uint8Array.of(0xef, 0xbb, 0xbf));
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  assert.equal(lines.length, 4);
  assert.ok(lines[0]!.startsWith('"אתר","מכשיר","כתובת"'));
  assert.ok(
    lines[1]!.includes(
      '"com.whatsapp/0","","לא","","","","סרק","0","250","250","250","0","אין סימנים חריגים."',
    ),
  );
  const cells = lines.map((line) => line.split('","').length);
  assert.deepEqual(cells, Array(4).fill(cells[0]));
  assert.ok(lines[3]!.includes(`"'=1+1"`) && lines[3]!.includes('"נעצר"'));
});
