import assert from "node:assert/strict";
import { ACCOUNT_WORD_MS, PARKED } from "shared/lease.ts";
import type { AccountState } from "shared/agent_protocol.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { saveSettings } from "../admin/settings.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { showCampaign } from "../campaigns/view.ts";
import { recordInventory } from "../devices/record_inventory.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { setRules } from "../testing/rules.ts";
import { pauseCampaign } from "./pause.ts";
import { resumeCampaign } from "./resume.ts";
import { runDueTicks } from "./ticks.ts";

const TICK_MS = 5_000;
const REASONS = [
  "device_offline",
  "account_banned",
  "account_restricted",
  "account_logged_out",
  "account_unavailable",
] as const;

/** Turns failover off, as in all tests of this file. */
async function openStrict(): Promise<Fleet> {
  const fleet = await openFleet();
  await setRules(fleet, { autoFailover: false });
  return fleet;
}

/** Sends the site's next inventory: its phone present or absent, and its account in this state. */
async function reportAccount(fleet: Fleet, site: TestSite, state: AccountState, device = site.devices[0]!) {
  const isHere = state !== "unreachable";
  await recordInventory(fleet.ctx, site, {
    devices: [{
      device,
      address: device,
      model: "Pixel",
      androidVersion: "14",
      state: isHere ? "online" : "offline",
      batteryPercent: 80,
      proofAt: fleet.ctx.now(),
      addresses: [],
      stateDetail: null,
    }],
    accounts: [{
      account: `${device}/com.whatsapp/0`,
      state,
      appVersion: "2.26.1",
      firstInstalledAt: 0,
      userKind: null,
      captions: null,
      ownNumber: null,
    }],
  });
}

/** Takes the due rows and loses the phone: first the report, a moment later the inventory. */
async function lose(fleet: Fleet, site: TestSite) {
  await report(fleet, site, await take(fleet, site), "void", { reason: "device_offline" });
  await reportAccount(fleet, site, "unreachable");
}

async function isParked(fleet: Fleet, campaign: { id: number }): Promise<boolean> {
  const { rows } = await fleet.ctx.db.execute(
    `SELECT not_before FROM deliveries WHERE campaign = ${campaign.id}`,
  );
  const waits = new Set(rows.map((row) => row.not_before === PARKED));
  assert.equal(waits.size, 1, "all of them or none");
  return waits.has(true);
}

async function noticesOf(fleet: Fleet, campaign: { id: number }): Promise<string[]> {
  const admin = {
    client: 0,
    person: 0,
    username: "",
    role: "admin",
    duty: "owner",
    sessionHash: "",
  } as const;
  return (await showCampaign(fleet.ctx, admin, campaign.id)).notices.map(({ code }) => code);
}

async function passTicks(fleet: Fleet, ms = TICK_MS) {
  fleet.pass(ms);
  await runDueTicks(fleet.ctx);
}

Deno.test("without autoFailover a phone's short absence that the edge never saw parks nothing", async () => {
  for (const reason of REASONS) {
    await using fleet = await openStrict();
    const campaign = await sendNew(fleet, 3);
    const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
    await report(fleet, site, await take(fleet, site), "void", { reason });
    assert.equal(await isParked(fleet, campaign), false, reason);
    assert.equal(await pull(fleet, other), null, "it waits for the inventory that may say why");
    await reportAccount(fleet, site, "ok");
    assert.deepEqual(await noticesOf(fleet, campaign), ["retry_wait"]);
    fleet.pass(ACCOUNT_WORD_MS);
    assert.equal((await pull(fleet, site))?.items.length, 3, reason);
  }
});

Deno.test("without autoFailover an account's returned work is parked when its site reports the loss, before or after", async () => {
  for (const state of ["banned", "restricted", "logged_out", "app_missing", "unreachable"] as const) {
    for (const isReportedFirst of [false, true]) {
      await using fleet = await openStrict();
      const campaign = await sendNew(fleet, 3);
      const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
      const lease = await take(fleet, site);
      if (isReportedFirst) await reportAccount(fleet, site, state);
      await report(fleet, site, lease, "void", { reason: "account_unavailable" });
      if (!isReportedFirst) await reportAccount(fleet, site, state);
      assert.equal(await isParked(fleet, campaign), true, state);
      assert.deepEqual(await noticesOf(fleet, campaign), ["waiting_for_account"]);
      await passTicks(fleet, ACCOUNT_WORD_MS);
      assert.equal(await pull(fleet, other), null, "a tick leaves it while its account is lost");
      await reportAccount(fleet, site, "ok");
      assert.equal((await pull(fleet, site))?.items.length, 3);
    }
  }
});

Deno.test("freeParked() frees work parked for a working account, and the notice does not count it", async () => {
  await using fleet = await openStrict();
  const campaign = await sendNew(fleet, 3);
  const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
  await report(fleet, site, await take(fleet, site), "void", { reason: "device_offline" });
  // As an edge of the previous release leaves them, and as a backup of that time holds them.
  await fleet.ctx.db.execute(`UPDATE deliveries SET not_before = ${PARKED}`);
  assert.deepEqual(await noticesOf(fleet, campaign), []);
  assert.equal(await pull(fleet, other), null);
  await passTicks(fleet);
  assert.equal((await pull(fleet, other))?.items.length, 3);
});

Deno.test("freeParked() frees work parked for an account that cannot come back", async () => {
  const gone: Record<string, (fleet: Fleet, site: TestSite, other: TestSite) => Promise<unknown>> = {
    "its site was revoked": (fleet, site) => revokeSite(fleet.ctx, site.site),
    "it is in no table": (fleet, site) =>
      fleet.ctx.db.execute(`DELETE FROM accounts WHERE site = ${site.site}`),
    "its phone is at another site": (fleet, site, other) =>
      reportAccount(fleet, other, "ok", site.devices[0]),
  };
  for (const [name, go] of Object.entries(gone)) {
    await using fleet = await openStrict();
    const campaign = await sendNew(fleet, 3);
    const [site, other, third] = [await fleet.addSite(1), await fleet.addSite(1), await fleet.addSite(1)];
    await lose(fleet, site);
    await passTicks(fleet);
    assert.equal(await isParked(fleet, campaign), true, name);
    await go(fleet, site, other);
    await passTicks(fleet);
    assert.equal((await pull(fleet, third))?.items.length, 3, name);
  }
});

Deno.test("an account of another name at another site frees nothing that is parked", async () => {
  await using fleet = await openStrict();
  const campaign = await sendNew(fleet, 3);
  const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
  await lose(fleet, site);
  await reportAccount(fleet, other, "ok", "another");
  await reportAccount(fleet, other, "logged_out", site.devices[0]);
  await passTicks(fleet);
  assert.equal(await isParked(fleet, campaign), true);
});

Deno.test("an account that works only at a revoked site frees nothing that is parked", async () => {
  await using fleet = await openStrict();
  const campaign = await sendNew(fleet, 3);
  const [site, revoked] = [await fleet.addSite(1), await fleet.addSite(1)];
  await reportAccount(fleet, revoked, "ok", site.devices[0]);
  await revokeSite(fleet.ctx, revoked.site);
  await lose(fleet, site);
  await passTicks(fleet);
  assert.equal(await isParked(fleet, campaign), true);
});

Deno.test("saveSettings() that turns failover on frees parked work, and nothing is parked after it", async () => {
  await using fleet = await openStrict();
  const campaign = await sendNew(fleet, 3);
  const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
  await lose(fleet, site);
  const admin = await fleet.addClient(0);
  await saveSettings(fleet.ctx, { person: admin.id, username: "admin" }, DEFAULT_SETTINGS);
  assert.equal((await pull(fleet, other))?.items.length, 3, "before any tick");
  await fleet.reconnect(other);

  // An edge of the previous release may park rows between the two steps.
  await fleet.ctx.db.execute(`UPDATE deliveries SET not_before = ${PARKED}`);
  await passTicks(fleet);
  assert.equal(await isParked(fleet, campaign), false);
  await lose(fleet, other);
  assert.equal(await isParked(fleet, campaign), false);
});

Deno.test("resumeCampaign() also frees just returned work that the next inventory would park", async () => {
  await using fleet = await openStrict();
  const campaign = await sendNew(fleet, 3);
  const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
  await report(fleet, site, await take(fleet, site), "void", { reason: "device_offline" });
  const owner = { client: campaign.client.id, person: campaign.client.id, role: "client" as const };
  await pauseCampaign(fleet.ctx, owner, campaign.id);
  await resumeCampaign(fleet.ctx, owner, campaign.id);
  await reportAccount(fleet, site, "unreachable");
  assert.equal((await pull(fleet, other))?.items.length, 3);
});

Deno.test("a temporary failure keeps its own wait when the account is lost", async () => {
  await using fleet = await openStrict();
  const campaign = await sendNew(fleet, 3);
  const [site, other] = [await fleet.addSite(1), await fleet.addSite(1)];
  const passing = { reason: "device_offline", temporary: true } as const;
  await report(fleet, site, await take(fleet, site), "void", passing);
  await reportAccount(fleet, site, "unreachable");
  assert.equal(await isParked(fleet, campaign), false);
  fleet.pass(60_000);
  assert.equal((await pull(fleet, other))?.items.length, 3);
});

Deno.test("the rule of the database waits for the inventory as long as shared/lease.ts says", async () => {
  await using fleet = await openFleet();
  const { sql } = await fleet.one("SELECT sql FROM sqlite_schema WHERE name = 'accounts_lost'");
  assert.ok(String(sql).includes(`not_before = updated_at + ${ACCOUNT_WORD_MS} `));
  assert.ok(String(sql).includes(String(PARKED)));
});
