import assert from "node:assert/strict";
import { adminAlertsSchema, adminHealthSchema } from "shared/admin_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { handleFrame } from "../sites/handle_frame.ts";
import { recordInventory } from "../devices/record_inventory.ts";
import { renewGeneration } from "../sites/generation.ts";
import { noteOlderDatabase } from "../queue/older_database.ts";
import { tripCampaign } from "../health/trip_campaign.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { localDay } from "../time/local_day.ts";
import { inventoryOf } from "../testing/fake_agent.ts";
import type { TestSite } from "../testing/fleet.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { setRules } from "../testing/rules.ts";
import { readAlerts } from "./alerts.ts";

const seen = (keys: string[]) => ({ devices: keys.flatMap((key) => inventoryOf(key).devices), accounts: [] });

async function alerts(house: AdminHouse) {
  return adminAlertsSchema.parse(await house.read("/api/admin/alerts")).items;
}

async function health(house: AdminHouse) {
  return adminHealthSchema.parse(await house.read("/api/admin/health"));
}

Deno.test("GET /api/admin/alerts is empty while everything works, and so is the system's health", async () => {
  await using house = await openAdminHouse();
  await house.fleet.addSite(1);
  assert.deepEqual(await alerts(house), []);
  const { status, version, sites, serverTime } = await health(house);
  assert.deepEqual([status, version, sites], ["ok", "1.0.0", { total: 1, connected: 1 }]);
  assert.equal(serverTime, house.fleet.ctx.now());
});

Deno.test("GET /api/admin/alerts names a site that returned more than an account's daily cap, until midnight", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(1);
  const gaveBack = async (count: number) => {
    await house.fleet.ctx.db.execute({
      sql: "INSERT OR REPLACE INTO account_days (account, day, used, given) VALUES (1, ?, 5, ?)",
      args: [localDay(house.fleet.ctx.now()), 5 + count],
    });
    return (await alerts(house)).map(({ code, type, siteId, message }) => [code, type, siteId, message]);
  };
  assert.deepEqual(await gaveBack(250), []);
  assert.deepEqual(await gaveBack(251), [[
    "site_gave_back",
    "error",
    site.site,
    "אתר 1 החזיר היום 251 הודעות בלי לשלוח אותן, יותר ממה שחשבון אחד רשאי לשלוח ביום. " +
    "אם המכשירים שם לא התנתקו שוב ושוב, ייתכן שמפתח האתר נגנב: יש לנתק אותו לצמיתות במסך האתרים.",
  ]]);
  house.fleet.pass(24 * 60 * 60_000);
  await house.fleet.reconnect(site);
  assert.deepEqual(await alerts(house), []);
});

Deno.test("GET /api/admin/alerts shows a disconnected site with the number of its rows, until it is back", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(1);
  const campaign = await sendNew(house.fleet, 2);
  await take(house.fleet, site, 2);
  const since = house.fleet.ctx.now();
  house.fleet.pass(30_000);
  const [away, ...rest] = await alerts(house);
  assert.deepEqual([away!.code, away!.type, away!.siteId, away!.since], [
    "site_away",
    "error",
    site.site,
    since,
  ]);
  assert.equal(
    away!.message,
    "אתר 1 לא מחובר. שתי הודעות שמורות אצלו ולא יישלחו ממקום אחר עד שיחזור.",
  );
  assert.deepEqual(rest, [], "nothing else waits for a device");
  assert.equal((await health(house)).status, "attention");
  await house.fleet.reconnect(site);
  assert.deepEqual((await alerts(house)).map(({ code }) => code), []);
  assert.ok(campaign.id > 0);
});

Deno.test("GET /api/admin/alerts has the worst first, a sentence for each, and at most five of a kind", async () => {
  await using house = await openAdminHouse();
  const { db } = house.fleet.ctx;
  const stopped = await house.fleet.addSite(1);
  await house.fleet.addSite(2);
  const client = await house.edge.addPerson({ messageQuota: 100 });
  await sendNew(house.fleet, 3);
  for (let n = 0; n < 7; n++) {
    await makeCampaign(house.fleet.ctx, {
      client: client.id,
      status: "paused",
      pausedBy: "opt_outs",
      rows: { queued: 1 },
    });
  }
  await db.execute({ sql: "UPDATE sites SET stopped = 1 WHERE id = ?", args: [stopped.site] });
  await db.execute("UPDATE sites SET answered_generation = 'old' WHERE id = 2");
  await db.execute({
    sql: "UPDATE accounts SET state = 'banned', updated_at = ?",
    args: [house.fleet.ctx.now()],
  });
  await db.execute({
    sql: `INSERT INTO imports (file_name, status, background, error, created_at, updated_at)
      VALUES ('רשימה.csv', 'error', 1, 'אין בקובץ שורות אחרי הכותרת.', ?1, ?1)`,
    args: [house.fleet.ctx.now()],
  });
  const items = await alerts(house);
  const codes = items.map(({ code }) => code);
  assert.deepEqual([...new Set(codes)], [
    "site_stopped",
    "sites_owe_outcomes",
    "no_device",
    "account_banned",
    "campaign_paused_by_rule",
    "import_failed",
  ]);
  assert.equal(codes.filter((code) => code === "campaign_paused_by_rule").length, 5);
  assert.deepEqual((await readAlerts(house.fleet.ctx)).cut, ["campaign_paused_by_rule"], "which has more");
  assert.ok(items.every(({ message }) => /[א-ת].*\.$/.test(message) && !message.includes("undefined")));
  assert.equal(
    items.find(({ code }) => code === "no_device")!.message,
    "אין כרגע מכשיר שיכול לשלוח, וקמפיין אחד מחכה. ההודעות שמורות בתור.",
  );
  assert.equal(items.at(-1)!.message, "הקובץ רשימה.csv לא נקלט. אין בקובץ שורות אחרי הכותרת.");
});

Deno.test("readAlerts() names the command to run after a site showed that the database was put back (rule 19)", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  const { site } = await house.fleet.addSite(1);
  await ctx.db.execute(noteOlderDatabase(site, ctx.now()));
  const [alert] = await alerts(house);
  assert.deepEqual([alert!.code, alert!.type, alert!.since, alert!.siteId], [
    "older_database",
    "error",
    ctx.now(),
    site,
  ]);
  assert.match(alert!.message, /יש לעצור את השרתים, להריץ deno task restored ולהפעיל אותם שוב\.$/);
  await renewGeneration(ctx);
  assert.ok((await alerts(house)).every(({ code }) => code !== "older_database"));
});

Deno.test("readAlerts() shows a phone that needs a person, after the time in which it may recover by itself", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(1);
  const { db } = fleet.ctx;
  await db.execute({
    sql: "UPDATE devices SET state = 'unauthorized', updated_at = ?",
    args: [fleet.ctx.now()],
  });
  const shown = async () => {
    await db.execute({ sql: "UPDATE sites SET last_seen_at = ?", args: [fleet.ctx.now()] });
    return (await alerts(house)).filter(({ code }) => code === "device_needs_hand");
  };
  fleet.pass(3 * 60_000 - 1);
  assert.deepEqual(await shown(), []);
  fleet.pass(1);
  const [alert] = await shown();
  assert.equal(alert!.message, "המכשיר Pixel, אתר 1, לא שולח: לא מורשה. מה לעשות כתוב בדף המכשיר.");
  assert.deepEqual([alert!.deviceId, alert!.siteId, alert!.since], [
    1,
    site.site,
    fleet.ctx.now() - 3 * 60_000,
  ]);
  await db.execute("UPDATE devices SET stopped = 1");
  assert.deepEqual(await shown(), []);
  await db.execute("UPDATE devices SET stopped = 0, state = 'offline'");
  assert.equal((await shown()).length, 1);
  fleet.pass(25 * 60 * 60_000);
  assert.deepEqual(await shown(), [], "whatever is away for a day was put away");
});

Deno.test("readAlerts() shows a phone that moved during its day with its earlier leases, until it is stopped or midnight", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const [haifa, eilat] = [await fleet.addSite(1), await fleet.addSite(1)];
  const [serial = ""] = haifa.devices;
  const see = (site: TestSite, keys: string[]) => recordInventory(fleet.ctx, site, seen(keys));
  const moved = async () => {
    for (const site of [haifa, eilat]) {
      await handleFrame(fleet.ctx, site, { type: "heartbeat", journalCounter: 0, at: fleet.ctx.now() });
    }
    return (await alerts(house)).filter(({ code }) => code === "phone_moved");
  };
  await sendNew(fleet, 3);
  await report(fleet, haifa, await take(fleet, haifa, 3), "sent");

  await see(eilat, [...eilat.devices, serial]);
  assert.deepEqual(
    await moved(),
    [],
    "it is at both: two phones of one serial number, or one site that lies",
  );
  await see(eilat, eilat.devices);
  fleet.pass(60_000);
  const gone = fleet.ctx.now();
  await see(haifa, []);
  assert.deepEqual(await moved(), []);
  fleet.pass(60_000);
  await see(eilat, [...eilat.devices, serial]);
  const [alert, ...rest] = await moved();
  assert.deepEqual([alert!.type, alert!.siteId, alert!.since, rest], ["warning", eilat.site, gone, []]);
  assert.match(alert!.message, /עבר היום אל אתר 2, אחרי שכבר קיבל 3 הודעות לשליחה דרך אתר 1\. /);

  const stop = (isStopped: boolean) =>
    fleet.ctx.db.execute({
      sql: "UPDATE devices SET stopped = ? WHERE id = ?",
      args: [isStopped, alert!.deviceId],
    });
  await stop(true);
  assert.deepEqual(await moved(), []);
  await stop(false);
  assert.equal((await moved()).length, 1);
  fleet.pass(24 * 60 * 60_000);
  assert.deepEqual(await moved(), [], "its day is over");
});

Deno.test("readAlerts() shows a phone that moved while its previous site is disconnected", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const dark = await fleet.addSite(1);
  await sendNew(fleet, 1);
  await report(fleet, dark, await take(fleet, dark, 1), "sent");
  fleet.pass(2 * DEAD_SOCKET_MS);
  const site = await fleet.addSite(0);
  await recordInventory(fleet.ctx, site, seen(dark.devices));
  const [alert] = (await alerts(house)).filter(({ code }) => code === "phone_moved");
  assert.match(alert!.message, /אחרי שכבר קיבל הודעה אחת לשליחה דרך אתר 1\. /);
});

Deno.test("readAlerts() shows a phone that two sites reach at once, while both do", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const [haifa, eilat] = [await fleet.addSite(1), await fleet.addSite(1)];
  const [serial = ""] = haifa.devices;
  const see = (site: TestSite, keys: string[]) => recordInventory(fleet.ctx, site, seen(keys));
  const shown = async () => (await alerts(house)).filter(({ code }) => code === "phone_at_two_sites");
  await see(haifa, [serial]);
  await see(eilat, eilat.devices);
  assert.deepEqual(await shown(), []);

  await see(eilat, [...eilat.devices, serial]);
  const [alert, ...rest] = await shown();
  assert.deepEqual([alert!.type, alert!.since, rest], ["warning", fleet.ctx.now(), []]);
  assert.match(alert!.message, /אתר 1/);
  assert.match(alert!.message, /אתר 2/);
  await fleet.ctx.db.execute(`UPDATE devices SET stopped = 1 WHERE site = ${haifa.site}`);
  assert.deepEqual(await shown(), [], "one of them is leased nothing for it");
  await fleet.ctx.db.execute("UPDATE devices SET stopped = 0");
  assert.equal((await shown()).length, 1);
  await see(haifa, []);
  assert.deepEqual(await shown(), []);
});

Deno.test("readAlerts() shows a number that two phones send from", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const site = await fleet.addSite(2);
  const shown = async () => (await alerts(house)).filter(({ code }) => code === "number_on_two_phones");
  const show = (numbers: (string | null)[]) => {
    const accounts = site.devices.flatMap((key, index) =>
      inventoryOf(key).accounts.map((one) => ({ ...one, ownNumber: numbers[index] ?? null }))
    );
    return recordInventory(fleet.ctx, site, { ...seen(site.devices), accounts });
  };
  await show([null, null]);
  assert.deepEqual(await shown(), [], "nobody knows them");
  await show(["+972541000001", "+972541000002"]);
  assert.deepEqual(await shown(), []);
  await show(["+972541000001", "+972541000001"]);
  const [alert, ...rest] = await shown();
  assert.deepEqual([alert!.type, alert!.siteId, rest], ["warning", site.site, []]);
  assert.doesNotMatch(alert!.message, /9725/);
  await fleet.ctx.db.execute(
    `UPDATE accounts SET state = 'logged_out' WHERE key LIKE '${site.devices[0]}/%'`,
  );
  assert.deepEqual(await shown(), []);
});

Deno.test("readAlerts() shows a client whose quota is too small for a ready campaign", async () => {
  await using house = await openAdminHouse();
  const short = await house.edge.addPerson({ messageQuota: 10 });
  const rich = await house.edge.addPerson({ messageQuota: 100 });
  for (const { id } of [short, rich]) {
    await makeCampaign(house.fleet.ctx, { client: id, name: "קטן", rows: { queued: 11 } });
    await makeCampaign(house.fleet.ctx, { client: id, name: "גדול", rows: { queued: 10, sent: 20 } });
  }
  const [alert, ...rest] = await alerts(house);
  assert.deepEqual(rest, []);
  assert.deepEqual([alert!.code, alert!.type], ["quota_low", "warning"]);
  assert.match(alert!.message, /קטנה מהקמפיין ״גדול״: חסרות 20 הודעות\./);
  await house.fleet.ctx.db.execute("UPDATE users SET disabled = 1");
  assert.deepEqual((await readAlerts(house.fleet.ctx)).items.map(({ code }) => code), []);
});

Deno.test("readAlerts() counts the same unknown screen on thirty phones as one cause, and bounds a site that names ever new ones", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const [first, second] = [await fleet.addSite(20), await fleet.addSite(30)];
  const show = async (site: TestSite, fingerprintOf: (index: number) => string | null) => {
    const { devices, accounts } = inventoryOf(...site.devices);
    await recordInventory(fleet.ctx, site, {
      devices,
      accounts: accounts.map((account, index) => {
        const fingerprint = fingerprintOf(index);
        return fingerprint === null ? account : {
          ...account,
          state: "unreachable",
          unknownScreen: {
            fingerprint,
            kind: "screen",
            window: "com.whatsapp.Conversation",
            ids: ["entry_n"],
          },
        };
      }),
    });
  };
  const causes = async () => {
    const { causes } = adminAlertsSchema.parse(await house.read("/api/admin/alerts"));
    return causes.filter(({ code }) => code === "unknown_screen");
  };
  const same = "3f9a1c".padEnd(24, "0");
  await show(first, () => same);
  await show(second, (index) => index < 10 ? same : null);
  const [cause, ...more] = await causes();
  assert.deepEqual([cause!.cause, cause!.count, cause!.type, more.length], [
    `unknown_screen:${same}`,
    30,
    "error",
    0,
  ]);
  assert.equal(cause!.title, "30 חשבונות נעצרו: באפליקציה מופיע מסך לא מוכר (3f9a1c)");
  const [alert] = (await alerts(house)).filter(({ code }) => code === "unknown_screen");
  assert.equal(
    alert!.message,
    "חשבון במכשיר Pixel · S1D1, אתר 1, נעצר: באפליקציה, גרסה 2.26, מופיע מסך שהמערכת לא מכירה. מה לעשות כתוב בדף המכשיר.",
  );

  fleet.pass(1_000);
  await show(first, () => same);
  await show(second, (index) => index < 28 ? String(index).padStart(24, "0") : null);
  const all = await causes();
  assert.deepEqual([all.length, all.reduce((sum, { count }) => sum + count, 0)], [11, 48]);
  assert.equal(all.find(({ cause }) => cause === "unknown_screen:others")?.count, 19);
  await show(first, () => null);
  await show(second, () => null);
  assert.deepEqual(await causes(), []);
});

Deno.test("readAlerts() shows whether a lost account was banned or restricted, and where its messages go", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  await fleet.addSite(1);
  await fleet.ctx.db.execute("UPDATE sites SET name = 'אתר חיפה'");
  const reportAccount = async (state: "banned" | "restricted", autoFailover: boolean) => {
    await setRules(fleet, { autoFailover });
    const args = [state, fleet.ctx.now()];
    await fleet.ctx.db.execute({ sql: "UPDATE accounts SET state = ?, updated_at = ?", args });
    return (await alerts(house)).find(({ code }) => code === "account_banned")?.message;
  };
  assert.equal(
    await reportAccount("banned", true),
    "חשבון נחסם במכשיר Pixel, אתר חיפה. ההודעות שטרם נשלחו ממנו עוברות לחשבונות אחרים.",
  );
  assert.equal(
    await reportAccount("restricted", false),
    "חשבון הוגבל במכשיר Pixel, אתר חיפה. ההודעות שטרם נשלחו ממנו מחכות לו. " +
      "כדי שיעברו לחשבונות אחרים, אפשר להפעיל בהגדרות מעבר אוטומטי.",
  );
  await fleet.ctx.db.batch([
    `INSERT INTO breaker_trips (at, account, signal, count, sample) SELECT 1, id, 'failed', 6, 50 FROM accounts`,
    "UPDATE accounts SET trip = (SELECT id FROM breaker_trips)",
  ]);
  assert.equal(
    (await alerts(house)).find(({ code }) => code === "account_rested")?.message,
    "חשבון במכשיר Pixel, אתר חיפה, הופסק אוטומטית ומחכה להחלטה.",
  );
});

Deno.test("readAlerts() shows why a site was stopped, and the first thing to do", async () => {
  await using house = await openAdminHouse();
  await house.fleet.addSite(0);
  for (
    const [reason, words] of [["two_machines", /שני מחשבים.*לכבות אחד מהם/], [
      "journal_doubted",
      /יומן/,
    ]] as const
  ) {
    await house.fleet.ctx.db.execute({
      sql: "UPDATE sites SET stopped = 1, stop_reason = ?",
      args: [reason],
    });
    assert.match((await alerts(house))[0]!.message, words);
  }
});

Deno.test("readAlerts() shows the start of a problem, which stays the same while the problem lasts", async () => {
  await using house = await openAdminHouse();
  const { fleet } = house;
  const { db } = fleet.ctx;
  await fleet.addSite(1);
  const campaign = await sendNew(fleet, 2);
  const trippedAt = fleet.ctx.now();
  const why = { signal: "failed", count: 6, sample: 50 } as const;
  assert.ok(await tripCampaign(fleet.ctx, { id: campaign.id, name: "מבצע" }, why));
  await db.execute("UPDATE sites SET answered_generation = 'old'");
  const shown = async () =>
    (await alerts(house)).map(({ code, since }) => [code, since]).filter(([code]) =>
      code === "sites_owe_outcomes" || code === "campaign_paused_by_rule"
    );
  const first = [["sites_owe_outcomes", null], ["campaign_paused_by_rule", trippedAt]];
  assert.deepEqual(await shown(), first);
  fleet.pass(5_000);
  await db.execute({ sql: "UPDATE sites SET last_seen_at = ?", args: [fleet.ctx.now()] });
  await db.execute({ sql: "UPDATE campaigns SET updated_at = ?", args: [fleet.ctx.now()] });
  assert.deepEqual(await shown(), first, "a delivery moves the campaign, a heartbeat the site");
});
