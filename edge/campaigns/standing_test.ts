/**
 * Every known cause for which a running campaign stands still: the client is shown a sentence for each, and an
 * administrator an alert when somebody has to act.
 */
import assert from "node:assert/strict";
import { sendPersonal } from "../testing/personal.ts";
import type { AdminAlert, AdminAlerts } from "shared/admin_api.ts";
import { type Campaign, NOTICE_CODES } from "shared/http_api.ts";
import { STALL_CAUSES } from "shared/standing.ts";
import { noteOlderDatabase } from "../queue/older_database.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { watchCampaigns } from "../health/check_campaigns.ts";
import { renewGeneration } from "../sites/generation.ts";
import { drainSite } from "../sites/drain.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { type TestSite } from "../testing/fleet.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { pull, report, sendNew, type SentCampaign, take } from "../testing/queue_acts.ts";
import { passTo, sendAll, sendMarketing, setRules } from "../testing/rules.ts";
import { localDay } from "../time/local_day.ts";

const MINUTE = 60_000;

interface World {
  house: AdminHouse;
  site: TestSite;
  sql(text: string): Promise<unknown>;
  /** Passes minutes, while the connected sites go on to answer. */
  stand(minutes: number): Promise<void>;
}

/** How a campaign comes to stand; returns it. Afterwards four minutes pass. */
type Drive = (world: World) => Promise<SentCampaign>;

interface Stand {
  drive: Drive;
  /** What happens after the four minutes. */
  last?: (world: World) => Promise<unknown>;
  code: Campaign["notices"][number]["code"];
  cause?: Campaign["notices"][number]["cause"];
  /** The alert that administrators get; `null` = nobody has to act. */
  alert: AdminAlert["code"] | null;
}

/** Two of ten messages go; then SQL changes the fleet. */
const after = (...texts: string[]): Drive => async ({ house: { fleet }, site, sql }) => {
  const campaign = await sendNew(fleet, 10);
  await sendAll(fleet, site, { most: 2 });
  for (const text of texts) await sql(text);
  return campaign;
};
const used = (columns: string) => `UPDATE account_days SET ${columns}`;

const STANDS: Record<string, Stand> = {
  "no site": {
    drive: after("UPDATE sites SET revoked = 1"),
    code: "no_device",
    cause: "no_site",
    alert: "no_device",
  },
  "all sites are away": {
    drive: after("UPDATE sites SET last_seen_at = 5"),
    code: "no_device",
    cause: "sites_away",
    alert: "no_device",
  },
  "the agent is too old": {
    drive: after("UPDATE sites SET last_seen_at = 5, protocol = 'shigur.agent.v0'"),
    code: "no_device",
    cause: "agent_too_old",
    alert: "no_device",
  },
  "all sites are stopped": {
    drive: after("UPDATE sites SET stopped = 1"),
    code: "no_device",
    cause: "sites_stopped",
    alert: "no_device",
  },
  "all sites drain": {
    drive: async (world) => {
      const campaign = await after()(world);
      await drainSite(world.house.fleet.ctx, world.site);
      return campaign;
    },
    code: "no_device",
    cause: "draining",
    alert: "no_device",
  },
  "all phones are offline": {
    drive: after("UPDATE devices SET state = 'offline'"),
    code: "no_device",
    cause: "phones_offline",
    alert: "no_device",
  },
  "all phones are stopped": {
    drive: after("UPDATE devices SET stopped = 1"),
    code: "no_device",
    cause: "phones_stopped",
    alert: "no_device",
  },
  "all accounts are banned": {
    drive: after("UPDATE accounts SET state = 'banned'"),
    code: "no_device",
    cause: "accounts_lost",
    alert: "no_device",
  },
  "all accounts rest": {
    drive: after("UPDATE accounts SET trip = 1"),
    code: "no_device",
    cause: "accounts_rested",
    alert: "no_device",
  },
  "no account can send pictures": {
    drive: after(
      "INSERT INTO images (sha256, media_type, bytes, width, height, created_at) VALUES ('abc', 'image/png', x'00', 1, 1, 0)",
      "UPDATE campaigns SET image = 'abc'",
      "UPDATE accounts SET captions = 0",
    ),
    code: "no_picture_account",
    alert: null,
  },
  "all phones owe a rehearsal": {
    drive: after(
      "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('sendingHoursEnforced', 'false', 0)",
      "UPDATE campaigns SET kind = 'marketing', sent_text = message",
      "UPDATE sites SET asks_rehearsal = 1",
      "UPDATE devices SET trial = 'none'",
      "UPDATE accounts SET last_sent_at = NULL",
    ),
    code: "waiting_for_rehearsal",
    alert: "campaign_stalled",
  },
  "all accounts are at their cap": { drive: after(used("used = 250")), code: "cap_reached", alert: null },
  "all accounts are at their hour's share": {
    drive: after(used("hour_used = 63")),
    code: "hour_reached",
    alert: null,
  },
  "unconfirmed accounts used their shared day": {
    drive: after("UPDATE accounts SET trusted = 0", used("used = 20, given = 20")),
    code: "waiting_for_confirmation",
    alert: "accounts_unconfirmed",
  },
  "unconfirmed accounts rest": {
    drive: after(
      "UPDATE accounts SET trusted = 0",
      `UPDATE sites SET unconfirmed_rest = '{"at":1,"signal":"failed","count":30,"sample":60}'`,
    ),
    code: "waiting_for_confirmation",
    alert: "unconfirmed_rested",
  },
  "phones gave back too much": {
    drive: after(used("given = 900")),
    code: "gave_back_too_much",
    alert: "site_gave_back",
  },
  "the hours are closed": {
    drive: async ({ house: { fleet }, site, stand }) => {
      passTo(fleet, "2026-11-22T19:59:00+02:00");
      await stand(0);
      const campaign = await sendMarketing(fleet, 10);
      await sendAll(fleet, site, { most: 2 });
      return campaign;
    },
    code: "outside_hours",
    alert: null,
  },
  "it is the Sabbath": {
    drive: async ({ house: { fleet }, stand }) => {
      passTo(fleet, "2026-11-28T10:00:00+02:00");
      await stand(0);
      return await sendMarketing(fleet, 10);
    },
    code: "outside_hours",
    alert: null,
  },
  "its client paused it": {
    drive: async (world) => {
      const campaign = await after()(world);
      await pauseCampaign(world.house.fleet.ctx, { id: campaign.client.id, role: "client" }, campaign.id);
      return campaign;
    },
    code: "paused_by_client",
    alert: null,
  },
  "an administrator paused it": {
    drive: async (world) => {
      const campaign = await after()(world);
      await pauseCampaign(world.house.fleet.ctx, { id: world.house.admin.id, role: "admin" }, campaign.id);
      return campaign;
    },
    code: "paused_by_admin",
    alert: null,
  },
  "a breaker paused it": {
    drive: async ({ house: { fleet }, site }) => {
      const campaign = await sendNew(fleet, 100);
      await watchCampaigns(fleet.ctx);
      await sendAll(fleet, site, { most: 60, outcome: "failed" });
      await watchCampaigns(fleet.ctx);
      return campaign;
    },
    code: "paused_by_rule",
    alert: "campaign_paused_by_rule",
  },
  "a pilot wave is judged": {
    drive: async ({ house: { fleet }, site, sql }) => {
      const campaign = await sendNew(fleet, 10);
      await sql(`UPDATE campaigns SET pilot_count = 2, pilot_wait_ms = 3600000, pilot_last = 2`);
      await sendAll(fleet, site, { most: 2 });
      await watchCampaigns(fleet.ctx);
      return campaign;
    },
    code: "pilot_wait",
    alert: null,
  },
  "several texts were tried": {
    drive: async ({ house: { fleet }, site, sql }) => {
      const campaign = await sendNew(fleet, 10);
      await sql(
        `UPDATE campaigns SET pilot_count = 2, pilot_wait_ms = 3600000, pilot_last = 2, sent_parts = '["א"]',
        variant_count = 2, variant_seed = 7`,
      );
      await sql(`INSERT INTO sent_variants (campaign, no, text, parts)
        SELECT id, 1, 'א', '["א"]' FROM campaigns UNION ALL SELECT id, 2, 'ב', '["ב"]' FROM campaigns`);
      await sendAll(fleet, site, { most: 2 });
      await watchCampaigns(fleet.ctx);
      return campaign;
    },
    code: "choose_text",
    alert: null,
  },
  "the edge waits for its sites": {
    drive: async (world) => {
      const campaign = await after()(world);
      const { ctx } = world.house.fleet;
      ctx.startWait = { awaited: '[{"site":1,"epoch":99,"hello":99,"seen":1}]' };
      return campaign;
    },
    code: "waiting_for_sites",
    alert: null,
  },
  "the database is an older one": {
    drive: async (world) => {
      const campaign = await after()(world);
      const { ctx } = world.house.fleet;
      await ctx.db.execute(noteOlderDatabase(world.site.site, ctx.now()));
      return campaign;
    },
    code: "older_database",
    alert: "older_database",
  },
  "a restored database waits for outcomes": {
    drive: async (world) => {
      const campaign = await after()(world);
      await renewGeneration(world.house.fleet.ctx);
      return campaign;
    },
    code: "waiting_for_outcomes",
    alert: "sites_owe_outcomes",
  },
  "a restored database erases again": {
    drive: after(
      "INSERT INTO erasures (at, user, reason, mark, nonce, hash, blocked, to_repeat) VALUES (1, 1, '', 'm', 'n', 'h', 1, 1)",
    ),
    code: "waiting_for_erasures",
    alert: "campaign_stalled",
  },
  "the database is a backup's copy": {
    drive: after("INSERT INTO system (key, value) VALUES ('backup_copy', '2026-11-21')"),
    code: "backup_copy",
    alert: "campaign_stalled",
  },
  "a newer release leases": {
    drive: after("INSERT OR REPLACE INTO system (key, value) VALUES ('lease_release', '999')"),
    code: "newer_release",
    alert: "campaign_stalled",
  },
  "an advertisement has no composed words": {
    drive: after("UPDATE campaigns SET kind = 'marketing'"),
    code: "words_missing",
    alert: "campaign_stalled",
  },
  "its rows wait for their account": {
    drive: async ({ house: { fleet }, site, sql }) => {
      await setRules(fleet, { autoFailover: false });
      await fleet.addSite(1);
      const campaign = await sendNew(fleet, 3);
      const lease = await take(fleet, site);
      await sql(`UPDATE accounts SET state = 'logged_out' WHERE site = ${site.site}`);
      await report(fleet, site, lease, "void", { reason: "account_logged_out" });
      await sql("UPDATE deliveries SET not_before = 253402300799000 WHERE state = 'queued'");
      return campaign;
    },
    code: "waiting_for_account",
    alert: null,
  },
  "its rows wait for a retry": {
    drive: async ({ house: { fleet }, site }) => {
      const campaign = await sendNew(fleet, 3);
      const [first, again] = [60_000, 300_000];
      await report(fleet, site, await take(fleet, site), "void", { temporary: true });
      fleet.pass(first);
      await fleet.ctx.db.execute("UPDATE sites SET last_seen_at = " + fleet.ctx.now());
      await report(fleet, site, await take(fleet, site), "void", { temporary: true });
      assert.ok(again > 4 * MINUTE);
      return campaign;
    },
    code: "retry_wait",
    alert: null,
  },
  "another campaign of the client holds its numbers": {
    drive: async ({ house: { fleet }, site, stand }) => {
      passTo(fleet, "2026-11-22T10:00:00+02:00");
      await stand(0);
      const first = await sendMarketing(fleet, 3);
      await take(fleet, site);
      await fleet.ctx.db.execute(`INSERT INTO quota_ledger (client, at, kind, delta)
        VALUES (${first.client.id}, 1, 'grant', 3)`);
      return await sendMarketing(fleet, 3, first.client);
    },
    // Sites ask every few seconds, and then the numbers are deferred for a minute.
    last: async ({ house: { fleet } }) => assert.equal(await pull(fleet, await fleet.addSite(1)), null),
    code: "number_wait",
    alert: null,
  },
  "the rest of it is left for its senders": {
    drive: async ({ house: { fleet }, site, sql }) => {
      const first = await sendNew(fleet, 3);
      await sendAll(fleet, site);
      await sql(
        `INSERT INTO quota_ledger (client, at, kind, delta) VALUES (${first.client.id}, 1, 'grant', 3)`,
      );
      return await sendNew(fleet, 3, first.client);
    },
    // The senders are at the first site, which asks for nothing.
    last: async ({ house: { fleet } }) => assert.equal(await pull(fleet, await fleet.addSite(1)), null),
    code: "sender_wait",
    alert: null,
  },
  "its last messages are at a site that is away": {
    drive: async ({ house: { fleet }, site, sql }) => {
      const campaign = await sendNew(fleet, 3);
      await take(fleet, site);
      await sql(`UPDATE sites SET last_seen_at = 5`);
      return campaign;
    },
    code: "waiting_for_site",
    alert: "site_away",
  },
  "an earlier campaign of the client goes first": {
    drive: async ({ house: { fleet }, site, sql }) => {
      const first = await sendNew(fleet, 20);
      await sql(
        `INSERT INTO quota_ledger (client, at, kind, delta) VALUES (${first.client.id}, 1, 'grant', 3)`,
      );
      fleet.pass(1000);
      const second = await sendNew(fleet, 3, first.client);
      await sendAll(fleet, site, { most: 2 });
      return second;
    },
    code: "waiting_turn",
    alert: null,
  },
  "its text is personal, and every agent is too old for that": {
    drive: async ({ house: { fleet }, site }) => {
      const campaign = await sendPersonal(fleet, { message: "שלום {{שם}}", values: [{ שם: "נועה" }] });
      await fleet.reconnect(site, { features: [] });
      return campaign;
    },
    code: "agents_too_old",
    alert: "campaign_stalled",
  },
  "its text is personal, and one of the agents is too old for that": {
    drive: async ({ house: { fleet }, site }) => {
      const campaign = await sendPersonal(fleet, { message: "שלום {{שם}}", values: [{ שם: "נועה" }] });
      await fleet.reconnect(site, { features: [] });
      await fleet.addSite(1);
      return campaign;
    },
    code: "some_agents_too_old",
    alert: null,
  },
  "no site asks, and an earlier campaign of the client may not go now": {
    drive: async ({ house: { fleet }, sql }) => {
      const first = await sendMarketing(fleet, 20);
      await sql(`UPDATE campaigns SET sent_text = NULL WHERE id = ${first.id}`);
      await sql(
        `INSERT INTO quota_ledger (client, at, kind, delta) VALUES (${first.client.id}, 1, 'grant', 3)`,
      );
      fleet.pass(1000);
      return await sendNew(fleet, 3, first.client);
    },
    code: "stalled",
    cause: "not_asking",
    alert: "campaign_stalled",
  },
  "the phones send for other clients": {
    drive: async ({ house: { fleet }, site, stand }) => {
      const campaign = await sendNew(fleet, 3);
      await sendNew(fleet, 20);
      // As with more clients than phones: the turn has not come yet.
      await fleet.ctx.db.execute(`UPDATE users SET lease_turn = 999 WHERE id = ${campaign.client.id}`);
      await stand(4);
      await sendAll(fleet, site, { most: 2 });
      await fleet.ctx.db.execute(`UPDATE users SET lease_turn = 0 WHERE id <> ${campaign.client.id}`);
      fleet.pass(-4 * MINUTE);
      return campaign;
    },
    code: "phones_busy",
    alert: null,
  },
  "a connected site holds its messages silently": {
    drive: async ({ house: { fleet }, site }) => {
      const campaign = await sendNew(fleet, 10);
      await take(fleet, site);
      return campaign;
    },
    code: "stalled",
    cause: "held_silently",
    alert: "campaign_stalled",
  },
  "a site never acknowledges": {
    drive: async (world) => {
      const campaign = await after()(world);
      const { fleet } = world.house;
      await world.stand(3);
      await pull(fleet, world.site);
      await world.sql(
        "UPDATE deliveries SET state = 'queued', by = 0, reason = 'offer_expired' WHERE state = 'leased'",
      );
      return campaign;
    },
    code: "stalled",
    cause: "offers_unanswered",
    alert: "campaign_stalled",
  },
  "a site gives everything back": {
    drive: async (world) => {
      const campaign = await after()(world);
      const { fleet } = world.house;
      await world.stand(3);
      await report(fleet, world.site, await take(fleet, world.site), "void", {
        reason: "phone_screen_blocked",
      });
      return campaign;
    },
    code: "stalled",
    cause: "given_back",
    alert: "campaign_stalled",
  },
  "no site asks for work": {
    drive: after(),
    code: "stalled",
    cause: "not_asking",
    alert: "campaign_stalled",
  },
};

async function openWorld(house: AdminHouse): Promise<World> {
  const { fleet } = house;
  const site = await fleet.addSite(2);
  const sql = (text: string) => fleet.ctx.db.execute(text);
  async function stand(minutes: number) {
    fleet.pass(minutes * MINUTE);
    const now = fleet.ctx.now();
    await sql(`UPDATE sites SET last_seen_at = ${now} WHERE last_seen_at > 5`);
    await sql(`UPDATE devices SET proof_at = ${now}`);
    // One day has passed for nobody: the rooms that the test set are today's.
    await sql(`UPDATE account_days SET day = ${localDay(now)}, hour = ${Math.floor(now / 3_600_000)}`);
  }
  await sendNew(fleet, 1);
  await sendAll(fleet, site);
  return { house, site, sql, stand };
}

for (const [what, { drive, last, code, cause, alert }] of Object.entries(STANDS)) {
  Deno.test(`a campaign that stands because ${what} says so`, async () => {
    await using house = await openAdminHouse();
    const world = await openWorld(house);
    const { id } = await drive(world);
    await world.stand(4);
    await last?.(world);
    const { notices, estimate } = await house.read(`/api/admin/campaigns/${id}`) as Campaign;
    const found = notices.find((notice) => notice.code === code);
    assert.ok(found, `${what}: ${JSON.stringify(notices)}`);
    assert.equal(found.cause, cause);
    const { items } = await house.read("/api/admin/alerts") as AdminAlerts;
    const codes = items.filter(({ campaignId }) => campaignId === null || campaignId === id).map(({ code }) =>
      code
    );
    if (alert !== null) assert.ok(codes.includes(alert), `${what}: ${codes}`);
    else assert.ok(!codes.includes("campaign_stalled"), `${what}: ${codes}`);
    const stalled = items.find(({ code }) => code === "campaign_stalled");
    if (alert === "campaign_stalled") {
      assert.match(stalled!.cause, /^campaign_stalled:[a-z_]+$/);
    }
    if (code === "stalled" || code === "no_device") assert.equal(estimate, null, "nothing can go");
  });
}

Deno.test("an alert about more campaigns than are read says that its number is not all of them", async () => {
  await using house = await openAdminHouse();
  const world = await openWorld(house);
  const { id } = await after("INSERT INTO system (key, value) VALUES ('backup_copy', '2026-11-21')")(world);
  const titles = async () => {
    const { causes } = await house.read("/api/admin/alerts") as AdminAlerts;
    return causes.filter(({ code }) => code === "campaign_stalled").map(({ title }) => title);
  };
  await world.stand(4);
  assert.match((await titles())[0]!, /^קמפיין אחד עומד: /);
  const { rows } = await house.fleet.ctx.db.execute(`SELECT client FROM campaigns WHERE id = ${id}`);
  const client = Number(rows[0]!.client);
  for (let no = 0; no < 60; no++) {
    await makeCampaign(house.fleet.ctx, { client, status: "processing", sendAt: 1, rows: { queued: 1 } });
  }
  assert.match((await titles())[0]!, /^לפחות 5\d קמפיינים עומדים: /);
});

Deno.test("every cause word and every notice of a standing campaign is driven by a test", () => {
  const causes = new Set(Object.values(STANDS).map(({ cause }) => cause));
  const alone = [
    "words_missing",
    "backup_copy",
    "newer_release",
    "erasures_owed",
    "rehearsals_owed",
    "item_texts_missing",
  ];
  assert.deepEqual(STALL_CAUSES.filter((cause) => !causes.has(cause) && !alone.includes(cause)), []);
  const codes = new Set(Object.values(STANDS).map(({ code }) => code));
  const others = NOTICE_CODES.filter((code) => !codes.has(code));
  assert.deepEqual(others, [
    "no_contacts",
    "import_running",
    "opens_later",
    "told_before_sending",
    "hours_waived",
    "pilot_wave",
    "reached_in_lost_time",
    "unknown_deliveries",
    "advertiser_missing",
    "no_online_refusal",
    "without_consent",
    "frequency_capped",
    "left_out_empty",
  ]);
});

Deno.test("a campaign says nothing of a stall before three minutes, after a resume, or in a full hour's first minutes", async () => {
  await using house = await openAdminHouse();
  const world = await openWorld(house);
  const { id, client } = await after()(world);
  const codes = async () => {
    const { notices } = await house.read(`/api/admin/campaigns/${id}`) as Campaign;
    return notices.map(({ code }) => code);
  };
  await world.stand(2);
  assert.deepEqual(await codes(), []);
  await pauseCampaign(house.fleet.ctx, { id: client.id, role: "client" }, id);
  await world.stand(10);
  await resumeCampaign(house.fleet.ctx, { id: client.id, role: "client" }, id);
  assert.deepEqual(await codes(), []);
  await world.stand(4);
  assert.deepEqual(await codes(), ["stalled"]);
  await world.sql("UPDATE account_days SET hour_used = 63");
  assert.deepEqual(await codes(), ["hour_reached"]);
  house.fleet.pass(60 * MINUTE - (house.fleet.ctx.now() % (60 * MINUTE)) + MINUTE);
  await world.sql(`UPDATE sites SET last_seen_at = ${house.fleet.ctx.now()}`);
  assert.deepEqual(await codes(), [], "the hour has just begun");
  house.fleet.pass(3 * MINUTE);
  await world.sql(`UPDATE sites SET last_seen_at = ${house.fleet.ctx.now()}`);
  assert.deepEqual(await codes(), ["stalled"]);
});
