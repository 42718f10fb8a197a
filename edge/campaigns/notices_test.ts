import assert from "node:assert/strict";
import type { CampaignNotice } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { localDay } from "../queue/local_day.ts";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { type MadeCampaign, makeCampaign } from "./make_campaign.ts";
import { readNotices } from "./notices.ts";
import { readCampaign } from "./read.ts";

const LIVE = { status: "active", rows: { queued: 4 } } as const;

Deno.test("readNotices() says nothing of a campaign that moves", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, { status: "active", rows: { queued: 4, leased: 1 } }), []);
  assert.deepEqual(await noticesOf(test, { status: "completed", rows: { sent: 4 } }), []);
});

Deno.test("readNotices() says that a draft has no contacts, or that they are being read", async () => {
  await using test = await openTestApp();
  assert.deepEqual(await noticesOf(test, { status: "draft" }), [{ code: "no_contacts" }]);
  await test.ctx.db.executeMultiple(`
    INSERT INTO imports (id, campaign, file_name, status, processed_rows, created_at, updated_at)
      VALUES (1, 1, 'a.csv', 'processing', 250, 1, 1);
    UPDATE campaigns SET running_import = 1 WHERE id = 1;`);
  assert.deepEqual(await noticesOf(test, 1), [{ code: "import_running", count: 250 }]);
});

Deno.test("readNotices() says that no phone can send", async () => {
  await using test = await openTestApp();
  const expected = [{ code: "no_device" }];
  assert.deepEqual(await noticesOf(test, LIVE), expected);
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, 1), []);
  const causes = [
    "UPDATE devices SET state = 'offline'",
    "UPDATE devices SET state = 'online', stopped = 1",
    "UPDATE devices SET stopped = 0; UPDATE accounts SET state = 'banned'",
    "UPDATE accounts SET state = 'ok'; UPDATE sites SET revoked = 1",
    "UPDATE sites SET revoked = 0, stopped = 1",
    `UPDATE sites SET stopped = 0, last_seen_at = ${test.clock.now - 30_000}`,
  ];
  for (const cause of causes) {
    await test.ctx.db.executeMultiple(cause);
    assert.deepEqual(await noticesOf(test, 1), expected, cause);
  }
});

Deno.test("readNotices() says that every phone reached its cap, and goes on when the day ends", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  await test.ctx.db.execute({
    sql: "INSERT INTO account_days (account, day, used) VALUES (1, ?, 250)",
    args: [localDay(test.clock.now)],
  });
  assert.deepEqual(await noticesOf(test, LIVE), [{ code: "cap_reached", count: 4 }]);
  await test.ctx.db.execute(
    "INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '251', 1)",
  );
  assert.deepEqual(await noticesOf(test, 1), []);
  await test.ctx.db.execute("UPDATE settings SET value = '250'");
  test.clock.now += 24 * 60 * 60_000;
  await test.ctx.db.execute({ sql: "UPDATE sites SET last_seen_at = ?", args: [test.clock.now] });
  assert.deepEqual(await noticesOf(test, 1), []);
});

Deno.test("readNotices() says which site holds deliveries and is away, since when and how many", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  await noticesOf(test, { status: "active", rows: { leased: 3 } });
  const since = test.clock.now;
  await test.ctx.db.execute("UPDATE deliveries SET site = 1");
  assert.deepEqual(await noticesOf(test, 1), []);
  test.clock.now += 31_000;
  assert.deepEqual(await noticesOf(test, 1), [{
    code: "waiting_for_site",
    site: "תל אביב",
    count: 3,
    since,
  }]);
});

Deno.test("readNotices() says how many of the client's campaigns are served before", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  const { id: client } = await test.addPerson();
  for (const sendAt of [1, 2, 9]) await makeCampaign(test.ctx, { ...LIVE, client, sendAt });
  const last = await makeCampaign(test.ctx, { ...LIVE, client, sendAt: 5 });
  assert.deepEqual(await noticesOf(test, last), [{ code: "waiting_turn", count: 2 }]);
});

Deno.test("readNotices() says who paused a campaign, and what is not known of it", async () => {
  await using test = await openTestApp();
  const paused = { status: "paused", rows: { queued: 4, unknown: 2 } } as const;
  for (
    const [pausedBy, code] of [["client", "paused_by_client"], ["admin", "paused_by_admin"], [
      "breaker",
      "paused_by_rule",
    ]]
  ) {
    assert.deepEqual(await noticesOf(test, { ...paused, pausedBy }), [
      { code, count: 4 },
      { code: "unknown_deliveries", count: 2 },
    ]);
  }
});

/** Of campaign `made`: an id, or one to make for a client of its own. */
async function noticesOf(
  test: TestApp,
  made: number | Omit<MadeCampaign, "client">,
): Promise<CampaignNotice[]> {
  const id = typeof made === "number"
    ? made
    : await makeCampaign(test.ctx, { ...made, client: (await test.addPerson()).id });
  const admin = { id: 0, username: "", role: "admin", sessionHash: "" } as const;
  return await readNotices(test.ctx, await readCampaign(test.ctx, admin, id));
}

/** Site 1 with one phone that can send. */
async function addPhone(ctx: EdgeContext): Promise<void> {
  await ctx.db.executeMultiple(`
    INSERT INTO sites (id, name, last_seen_at, created_at) VALUES (1, 'תל אביב', ${ctx.now()}, 1);
    INSERT INTO devices (id, site, key, address, state, first_seen_at, updated_at)
      VALUES (1, 1, 'R58M', 'usb', 'online', 1, 1);
    INSERT INTO accounts (id, device, site, key, state, first_seen_at, updated_at)
      VALUES (1, 1, 1, 'R58M/com.whatsapp/0', 'ok', 1, 1);`);
}
