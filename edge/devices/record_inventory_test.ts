import assert from "node:assert/strict";
import { openFleet } from "../testing/fleet.ts";
import { SupersededError } from "../queue/fence.ts";
import { readDeviceDetail } from "./device_detail.ts";
import { type InventoryFrame, recordInventory } from "./record_inventory.ts";

const DAY_MS = 24 * 60 * 60_000;

function inventory(over: Partial<InventoryFrame["devices"][number]> = {}): InventoryFrame {
  return {
    type: "inventory",
    devices: [{
      device: "R58M",
      address: "usb:1",
      model: "Pixel 7",
      androidVersion: "14",
      state: "online",
      batteryPercent: 80,
      proofAt: 5,
      addresses: [],
      stateDetail: null,
      ...over,
    }],
    accounts: [{
      account: "R58M/com.whatsapp/0",
      state: "ok",
      appVersion: "2.26",
      firstInstalledAt: 7,
      userKind: null,
      captions: null,
      ownNumber: null,
    }],
  };
}

Deno.test("recordInventory() knows a phone by its serial wherever adb finds it", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  await recordInventory(fleet.ctx, site, inventory());
  const unread = inventory({ address: "192.0.2.7:5555", proofAt: null });
  unread.accounts[0]!.firstInstalledAt = null;
  await recordInventory(fleet.ctx, site, unread);
  const { rows } = await fleet.ctx.db.execute("SELECT key, address, model, state, proof_at FROM devices");
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { key: "R58M", address: "192.0.2.7:5555", model: "Pixel 7", state: "online", proof_at: 5 },
  ]);
  const account = await fleet.one("SELECT device, state, app_version, first_installed_at FROM accounts");
  assert.deepEqual(account, { device: 1, state: "ok", app_version: "2.26", first_installed_at: 7 });
});

Deno.test("recordInventory() takes no day still to come for an app's first install: the account warms up from its first sight", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const ahead = inventory();
  ahead.accounts[0]!.firstInstalledAt = fleet.ctx.now() + 400 * DAY_MS;
  await recordInventory(fleet.ctx, site, ahead);
  assert.equal((await fleet.one("SELECT first_installed_at FROM accounts")).first_installed_at, null);
  const capPerDay = async () => (await readDeviceDetail(fleet.ctx, 1)).accounts[0]!.capPerDay;
  assert.equal(await capPerDay(), 20);
  fleet.pass(2 * DAY_MS);
  await recordInventory(fleet.ctx, site, ahead);
  assert.equal(await capPerDay(), 28);
});

Deno.test("recordInventory() takes what is no longer named for offline, and keeps what it knew of it", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  await recordInventory(fleet.ctx, site, inventory());
  await recordInventory(fleet.ctx, site, { devices: [], accounts: [] });
  assert.deepEqual(await fleet.one("SELECT state, proof_at FROM devices"), { state: "offline", proof_at: 5 });
  assert.equal((await fleet.one("SELECT state FROM accounts")).state, "unreachable");
  await recordInventory(fleet.ctx, site, inventory());
  assert.equal((await fleet.one("SELECT state FROM accounts")).state, "ok");
});

Deno.test("recordInventory() forgets a phone that was known by its address alone, and none that ever answered", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const [known] = inventory({ addresses: ["usb:1", "192.0.2.7:5555"] }).devices;
  const stranger = {
    ...known!,
    device: "192.0.2.7:5555",
    address: "192.0.2.7:5555",
    model: "",
    androidVersion: "",
    state: "unauthorized" as const,
    proofAt: null,
  };
  const told = async (...devices: InventoryFrame["devices"]) => {
    await recordInventory(fleet.ctx, site, { devices, accounts: [] });
    const { rows } = await fleet.ctx.db.execute("SELECT key, state FROM devices ORDER BY id");
    return rows.map(({ key, state }) => `${key} ${state}`);
  };
  assert.deepEqual(await told(stranger), ["192.0.2.7:5555 unauthorized"]);
  assert.deepEqual(await told(known!), ["R58M online"], "it has let this computer in");
  assert.deepEqual(await told(), ["R58M offline"]);
  await told(stranger);
  await fleet.ctx.db.execute(
    `INSERT INTO commands (device, site, kind, user, created_at)
      SELECT id, site, 'identify', 1, 1 FROM devices WHERE state = 'unauthorized'`,
  );
  assert.deepEqual(
    await told(known!),
    ["R58M online", "192.0.2.7:5555 offline"],
    "somebody asked it something",
  );
});

Deno.test("recordInventory() keeps what is known of an account's pictures until its app is another version", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const told = (over: Partial<InventoryFrame["accounts"][number]>) => {
    const { devices, accounts } = inventory();
    return recordInventory(fleet.ctx, site, { devices, accounts: [{ ...accounts[0]!, ...over }] });
  };
  const captions = async () => (await fleet.one("SELECT captions FROM accounts")).captions;
  await told({ captions: false });
  await told({ captions: null });
  await told({ captions: null, appVersion: null });
  assert.equal(await captions(), 0);
  await told({ captions: null, appVersion: "2.27" });
  assert.equal(await captions(), null);
  await told({ captions: true, appVersion: "2.28" });
  assert.equal(await captions(), 1);
});

Deno.test("recordInventory() tells administrators of a changed state, not of every proof", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const told = async () =>
    Number((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'device_changed'")).n);
  await recordInventory(fleet.ctx, site, inventory());
  assert.equal(await told(), 1);
  await recordInventory(fleet.ctx, site, inventory({ proofAt: 9, batteryPercent: 79 }));
  assert.equal(await told(), 1);
  await recordInventory(fleet.ctx, site, inventory({ state: "hot" }));
  assert.equal(await told(), 2);
});

Deno.test("recordInventory() believes no proof from the future, and no older connection", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  await recordInventory(fleet.ctx, site, inventory({ proofAt: fleet.ctx.now() + 60_000 }));
  assert.equal((await fleet.one("SELECT proof_at FROM devices")).proof_at, fleet.ctx.now());
  const old = { ...site };
  await fleet.reconnect(site);
  await assert.rejects(recordInventory(fleet.ctx, old, inventory({ state: "offline" })), SupersededError);
  assert.equal((await fleet.one("SELECT state FROM devices")).state, "online");
});
