import type { InArgs } from "@libsql/client/web";
import assert from "node:assert/strict";
import type { CampaignNotice } from "shared/http_api.ts";
import { renewGeneration } from "../sites/generation.ts";
import { noteOlderDatabase } from "../queue/older_database.ts";
import type { EdgeContext } from "../context.ts";
import { repeatErasures } from "../privacy/repeat_erasures.ts";
import { localDay, msToLocalMidnight } from "../time/local_day.ts";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { type MadeCampaign, makeCampaign } from "../testing/make_campaign.ts";
import { showCampaign } from "./view.ts";

const LIVE = { status: "active", rows: { queued: 4 } } as const;

Deno.test("showCampaign() shows no notice for a campaign that progresses", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, { status: "active", rows: { queued: 4, leased: 1 } }), []);
  assert.deepEqual(await noticesOf(test, { status: "completed", rows: { sent: 4 } }), []);
});

Deno.test("showCampaign() says that a draft has no contacts, or that they are being read", async () => {
  await using test = await openTestApp();
  assert.deepEqual(await noticesOf(test, { status: "draft" }), [{ code: "no_contacts" }]);
  await test.ctx.db.executeMultiple(`
    INSERT INTO imports (id, campaign, file_name, status, processed_rows, created_at, updated_at)
      VALUES (1, 1, 'a.csv', 'processing', 250, 1, 1);
    UPDATE campaigns SET running_import = 1 WHERE id = 1;`);
  assert.deepEqual(await noticesOf(test, 1), [{ code: "import_running", count: 250 }]);
});

Deno.test("showCampaign() says that a restored database waits for its sites' outcomes", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, LIVE), []);
  await test.ctx.db.execute("UPDATE sites SET public_key = 'a key'");
  await renewGeneration(test.ctx);
  assert.deepEqual(await noticesOf(test, 1), [{ code: "waiting_for_outcomes" }]);
  await test.ctx.db.execute("UPDATE campaigns SET status = 'paused'");
  assert.deepEqual((await noticesOf(test, 1)).map(({ code }) => code), ["paused_by_rule"]);
});

Deno.test("showCampaign() says that a restored database erases numbers again first", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, LIVE), []);
  await test.ctx.db.execute(
    `INSERT INTO erasures (at, user, reason, mark, nonce, hash, blocked, to_repeat) VALUES (1, 1, '', 'm', 'n', 'h', 1, 1)`,
  );
  assert.deepEqual(await noticesOf(test, 1), [{ code: "waiting_for_erasures" }]);
  await repeatErasures(test.ctx);
  assert.deepEqual(await noticesOf(test, 1), []);
});

Deno.test("showCampaign() says that a database that was put back waits for a person", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, LIVE), []);
  await test.ctx.db.execute(noteOlderDatabase(1, test.ctx.now()));
  assert.deepEqual(await noticesOf(test, 1), [{ code: "older_database" }]);
});

Deno.test("showCampaign() says that an edge has just started and waits for its sites", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, LIVE), []);
  const awaited = '[{"site":1,"epoch":1,"hello":1,"seen":1}]';
  test.ctx.startWait = { awaited };
  assert.deepEqual(await noticesOf(test, 1), [{ code: "waiting_for_sites" }]);
  test.ctx.startWait = { awaited: "[]" };
  assert.deepEqual(await noticesOf(test, 1), []);
});

Deno.test("showCampaign() says that no phone can send", async () => {
  await using test = await openTestApp();
  assert.deepEqual(await noticesOf(test, LIVE), [{ code: "no_device", cause: "no_site" }]);
  await addPhone(test.ctx);
  assert.deepEqual(await noticesOf(test, 1), []);
  const causes: [sql: string, cause: string][] = [
    ["UPDATE devices SET state = 'offline'", "phones_offline"],
    ["UPDATE devices SET state = 'online', stopped = 1", "phones_stopped"],
    ["UPDATE devices SET stopped = 0; UPDATE accounts SET state = 'banned'", "accounts_lost"],
    ["UPDATE accounts SET state = 'ok', trip = 1", "accounts_rested"],
    ["UPDATE accounts SET trip = NULL; UPDATE sites SET revoked = 1", "no_site"],
    ["UPDATE sites SET revoked = 0, stopped = 1", "sites_stopped"],
    ["UPDATE sites SET stopped = 0, draining = 1", "draining"],
    [`UPDATE sites SET draining = 0, last_seen_at = ${test.clock.now - 30_000}`, "sites_away"],
    ["UPDATE sites SET protocol = 'shigur.agent.v0'", "agent_too_old"],
  ];
  for (const [sql, cause] of causes) {
    await test.ctx.db.executeMultiple(sql);
    assert.deepEqual(await noticesOf(test, 1), [{ code: "no_device", cause }], sql);
  }
});

Deno.test("showCampaign() says that no account can send a picture with its text, or that such accounts rest", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  await noticesOf(test, LIVE);
  await test.ctx.db.executeMultiple(`
    INSERT INTO images (sha256, media_type, bytes, width, height, created_at)
      VALUES ('abc', 'image/png', x'00', 1, 1, 0);
    UPDATE campaigns SET image = 'abc';`);
  assert.deepEqual(await noticesOf(test, 1), [], "nothing is known of it yet");
  await test.ctx.db.execute("UPDATE accounts SET captions = 0");
  assert.deepEqual(await noticesOf(test, 1), [{ code: "no_picture_account" }]);
  await test.ctx.db.execute("UPDATE devices SET state = 'offline'");
  assert.deepEqual(await noticesOf(test, 1), [{ code: "no_device", cause: "phones_offline" }]);
  await test.ctx.db.executeMultiple(`
    UPDATE devices SET state = 'online';
    INSERT INTO devices (id, site, key, address, state, first_seen_at, updated_at)
      VALUES (2, 1, 'R58N', 'usb', 'online', 1, 1);
    INSERT INTO accounts (id, device, site, key, state, captions, trusted, first_seen_at, updated_at)
      VALUES (2, 2, 1, 'R58N/com.whatsapp/0', 'ok', 1, 1, 1, 1);`);
  assert.deepEqual(await noticesOf(test, 1), []);
  await test.ctx.db.execute({
    sql: "INSERT INTO account_days (account, day, used) VALUES (2, ?, 250)",
    args: [localDay(test.clock.now)],
  });
  assert.deepEqual(await noticesOf(test, 1), [{ code: "cap_reached", count: 4 }]);
  await test.ctx.db.execute("UPDATE campaigns SET image = NULL");
  assert.deepEqual(await noticesOf(test, 1), []);
});

Deno.test("showCampaign() says that every phone reached its cap, and goes on when the day ends", async () => {
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
  // Midnight, and a minute in which the phones may begin again.
  test.clock.now += msToLocalMidnight(test.clock.now) + 60_000;
  await test.ctx.db.execute({ sql: "UPDATE sites SET last_seen_at = ?", args: [test.clock.now] });
  assert.deepEqual(await noticesOf(test, 1), []);
});

Deno.test("showCampaign() says which disconnected site holds deliveries, how many and since when", async () => {
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

Deno.test("showCampaign() says how many of the client's campaigns are served before", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  const { id: client } = await test.addPerson();
  for (const sendAt of [1, 2, 9]) await makeCampaign(test.ctx, { ...LIVE, client, sendAt });
  const last = await makeCampaign(test.ctx, { ...LIVE, client, sendAt: 5 });
  assert.deepEqual(await noticesOf(test, last), [{ code: "waiting_turn", count: 2 }]);
});

Deno.test("showCampaign() names the person or rule that paused a campaign, and the number of unknown outcomes", async () => {
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

/** The test's campaign: an existing id, or a new campaign of a new client. */
Deno.test("showCampaign() never scans all deliveries of a campaign", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  const client = (await test.addPerson()).id;
  const id = await makeCampaign(test.ctx, { status: "active", rows: { queued: 4, leased: 2 }, client });
  const { ctx, batches } = listened(test);
  const admin = {
    client: 0,
    person: 0,
    username: "",
    role: "admin",
    duty: "owner",
    sessionHash: "",
  } as const;
  await showCampaign(ctx, admin, id);

  const ofDeliveries = batches.flat().filter(({ sql }) => sql.includes("FROM deliveries"));
  assert.equal(ofDeliveries.length, 3, "the fleet's, the line's and the campaign's own");
  for (const { sql, args } of ofDeliveries) {
    const { rows } = await test.ctx.db.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
    const steps = rows.map(({ detail }) => String(detail)).filter((step) => / deliveries\b/.test(step));
    for (const step of steps) {
      assert.match(
        step,
        /INDEX deliveries_(in_hand|queue \(campaign=\? AND not_before[=<>]\?|state \(campaign=\? AND state=\?)/,
        sql,
      );
    }
  }
});

/** Returns the same context, and records its batches. */
function listened({ ctx }: TestApp) {
  const batches: { sql: string; args: InArgs }[][] = [];
  const batch = (statements: typeof batches[number], mode: "read") => {
    batches.push(statements);
    return ctx.db.batch(statements, mode);
  };
  const db = new Proxy(ctx.db, {
    get: (target, name) => name === "batch" ? batch : Reflect.get(target, name),
  });
  return { ctx: { ...ctx, db }, batches };
}

async function noticesOf(
  test: TestApp,
  made: number | Omit<MadeCampaign, "client">,
): Promise<CampaignNotice[]> {
  const id = typeof made === "number"
    ? made
    : await makeCampaign(test.ctx, { ...made, client: (await test.addPerson()).id });
  const admin = {
    client: 0,
    person: 0,
    username: "",
    role: "admin",
    duty: "owner",
    sessionHash: "",
  } as const;
  return (await showCampaign(test.ctx, admin, id)).notices;
}

/** Adds site 1 with one phone that can send. */
async function addPhone(ctx: EdgeContext): Promise<void> {
  await ctx.db.executeMultiple(`
    INSERT INTO sites (id, name, last_seen_at, created_at) VALUES (1, 'תל אביב', ${ctx.now()}, 1);
    INSERT INTO devices (id, site, key, address, state, first_seen_at, updated_at)
      VALUES (1, 1, 'R58M', 'usb', 'online', 1, 1);
    INSERT INTO accounts (id, device, site, key, state, confirmed_at, first_seen_at, updated_at)
      VALUES (1, 1, 1, 'R58M/com.whatsapp/0', 'ok', 1, 1, 1);`);
}

Deno.test("showCampaign() says that phones wait for a person once unconfirmed accounts used their shared day", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  await test.ctx.db.execute("UPDATE accounts SET confirmed_at = NULL");
  assert.deepEqual(await noticesOf(test, LIVE), []);
  await test.ctx.db.execute({
    sql: "INSERT INTO account_days (account, day, used) VALUES (1, ?, 40)",
    args: [localDay(test.clock.now)],
  });
  assert.deepEqual(await noticesOf(test, 1), [{ code: "waiting_for_confirmation", count: 4 }]);
  await test.ctx.db.execute("UPDATE accounts SET confirmed_at = 1");
  assert.deepEqual(await noticesOf(test, 1), []);
});

Deno.test("showCampaign() says that phones returned too much work, when no other has room in its day", async () => {
  await using test = await openTestApp();
  await addPhone(test.ctx);
  const given = (count: number) =>
    test.ctx.db.execute({
      sql: "INSERT OR REPLACE INTO account_days (account, day, used, given) VALUES (1, ?, 5, ?)",
      args: [localDay(test.clock.now), count],
    });
  await given(3 * 250 + 59);
  assert.deepEqual(await noticesOf(test, LIVE), []);
  await given(3 * 250 + 60);
  assert.deepEqual(await noticesOf(test, 1), [{ code: "gave_back_too_much", count: 4 }]);
});

Deno.test("showCampaign() says until when marketing waits for its hours, and full phones for the next hour", async () => {
  await using test = await openTestApp();
  const friday = Date.parse("2026-11-27T14:20:00+02:00");
  test.clock.now = friday;
  await addPhone(test.ctx);
  const made = { ...LIVE, rows: { queued: 4, leased: 1 } };
  assert.deepEqual(await noticesOf(test, made), []);
  await test.ctx.db.executeMultiple(
    `UPDATE sites SET last_seen_at = ${friday}; UPDATE campaigns SET kind = 'marketing', sent_text = message`,
  );
  assert.deepEqual(await noticesOf(test, 1), [
    { code: "outside_hours", count: 4, until: Date.parse("2026-11-29T09:00:00+02:00") },
  ]);
  await test.ctx.db.execute("DROP TRIGGER campaigns_taken_back");
  await test.ctx.db.execute("UPDATE campaigns SET status = 'ready' WHERE id = 1");
  const [later] = (await noticesOf(test, 1)).filter(({ code }) => code === "opens_later");
  assert.equal(later!.until, Date.parse("2026-11-29T09:00:00+02:00"), "told before it is sent, too");
  await test.ctx.db.executeMultiple(`UPDATE campaigns SET status = 'active', kind = 'service' WHERE id = 1;
    INSERT INTO settings (key, value, updated_at) VALUES ('serviceHoursEnforced', 'true', 0)`);
  const until = Date.parse("2026-11-29T09:00:00+02:00");
  assert.deepEqual(
    await noticesOf(test, 1),
    [{ code: "outside_hours", count: 4, until }],
    "service keeps them",
  );
  await test.ctx.db.execute(`UPDATE campaigns SET hours_waived_at = ${friday} WHERE id = 1`);
  assert.deepEqual(await noticesOf(test, 1), [{ code: "hours_waived", since: friday }]);
  await test.ctx.db.executeMultiple(`UPDATE campaigns SET kind = 'marketing' WHERE id = 1;
    UPDATE campaigns SET hours_waived_at = ${friday} WHERE id = 1`);
  assert.deepEqual(
    await noticesOf(test, 1),
    [{ code: "outside_hours", count: 4, until }],
    "whoever wrote it",
  );
  await test.ctx.db.executeMultiple(`
    INSERT INTO settings (key, value, updated_at) VALUES ('sendingHoursEnforced', 'false', 0);
    INSERT INTO account_days (account, day, used, hour, hour_used)
      VALUES (1, ${localDay(friday)}, 63, ${Math.floor(friday / 3_600_000)}, 63);`);
  assert.deepEqual(await noticesOf(test, 1), [
    { code: "hour_reached", count: 4, until: Date.parse("2026-11-27T15:00:00+02:00") },
  ]);
});

Deno.test("showCampaign() says that an advertisement without its composed words is not sent, and shows no time", async () => {
  await using test = await openTestApp();
  test.clock.now = Date.parse("2026-11-27T14:20:00+02:00");
  await addPhone(test.ctx);
  const made = { ...LIVE, rows: { queued: 4, sent: 1 } };
  assert.deepEqual(await noticesOf(test, made), []);
  // As an older release sent it, without composed text.
  await test.ctx.db.execute("UPDATE campaigns SET kind = 'marketing'");
  assert.deepEqual(await noticesOf(test, 1), [{ code: "words_missing", count: 4 }]);
  await test.ctx.db.execute("DROP TRIGGER campaigns_taken_back");
  await test.ctx.db.execute("UPDATE campaigns SET status = 'ready'");
  assert.equal((await noticesOf(test, 1)).some(({ code }) => code === "words_missing"), false);
});
