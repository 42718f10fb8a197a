import assert from "node:assert/strict";
import { activityPageSchema, deviceDetailSchema } from "shared/admin_api.ts";
import { adbStatusSchema } from "shared/http_api.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { recordInventory } from "./record_inventory.ts";

async function openPhone() {
  const house = await openAdminHouse();
  const site = await house.fleet.addSite(1);
  const edit = (json: unknown, id = 1) =>
    house.admin.ask(`/api/admin/accounts/${id}`, { method: "PATCH", json });
  return { house, site, edit };
}

async function accountOf(house: AdminHouse) {
  return deviceDetailSchema.parse(await house.read("/api/admin/devices/1")).accounts[0]!;
}

async function activityOf(house: AdminHouse): Promise<string[]> {
  const { items } = activityPageSchema.parse(await house.read("/api/admin/activity?q=חשבון&limit=20"));
  return items.map(({ message }) => message).filter((message) => message.includes("חשבון"));
}

Deno.test("PATCH /api/admin/accounts names and confirms an account, once each, and every screen shows it", async () => {
  const { house, edit } = await openPhone();
  await using _ = house;
  const { label, confirmed } = await accountOf(house);
  assert.deepEqual([label, confirmed], ["", false]);
  assert.equal((await edit({ label: " מכירות דרום ", confirmed: true })).status, 204);
  assert.equal((await edit({ label: "מכירות דרום", confirmed: true })).status, 204);
  const account = await accountOf(house);
  assert.deepEqual([account.label, account.confirmed], ["מכירות דרום", true]);
  const { devices: [device] } = adbStatusSchema.parse(await house.read("/api/devices/adb-status"));
  assert.deepEqual([device!.accounts[0]!.label, device!.accounts[0]!.confirmed], ["מכירות דרום", true]);
  const csv = await (await house.admin.ask("/api/admin/devices.csv")).text();
  assert.match(csv, /"com\.whatsapp\/0","מכירות דרום","כן",/);
  assert.equal((await edit({ label: "", confirmed: false })).status, 204);
  assert.deepEqual(await activityOf(house), [
    "אישור החשבון בוטל בידי person-1",
    "לבקשת person-1: שם החשבון הוסר",
    "החשבון אושר בידי person-1",
    "לבקשת person-1: החשבון נקרא מעתה ״מכירות דרום״",
  ]);
  const { rows } = await house.fleet.ctx.db.execute(
    "SELECT data FROM audit_log WHERE kind = 'account_edited' ORDER BY id",
  );
  assert.deepEqual(rows.map(({ data }) => JSON.parse(String(data))), [
    { label: "מכירות דרום" },
    { confirmed: true },
    { label: "" },
    { confirmed: false },
  ]);
});

Deno.test("PATCH /api/admin/accounts refuses an invalid name, an empty body and unknown accounts", async () => {
  const { house, edit, site } = await openPhone();
  await using _ = house;
  for (
    const json of [{}, { label: "א".repeat(61) }, { label: "a\u202eb" }, { confirmed: "yes" }, {
      state: "ok",
    }]
  ) {
    assert.equal((await edit(json)).status, 400, JSON.stringify(json));
  }
  assert.equal((await edit({ confirmed: true }, 99)).status, 404);
  await house.admin.ask(`/api/admin/sites/${site.site}/revoke`, { method: "POST" });
  assert.equal((await edit({ confirmed: true })).status, 404);
});

Deno.test("an unconfirmed account also sends", async () => {
  const { house, site } = await openPhone();
  await using _ = house;
  await sendNew(house.fleet, 1);
  assert.equal((await pull(house.fleet, site))?.items.length, 1);
});

Deno.test("a confirmed account waits for a person again when another number is in the app", async () => {
  const { house, site, edit } = await openPhone();
  await using _ = house;
  const report = (ownNumber: string | null) =>
    recordInventory(house.fleet.ctx, site, {
      devices: [{
        device: site.devices[0]!,
        address: "usb:1",
        model: "Pixel",
        androidVersion: "14",
        state: "online",
        batteryPercent: 80,
        proofAt: house.fleet.ctx.now(),
        addresses: ["usb:1", "192.0.2.7:5555"],
        stateDetail: "device online",
      }],
      accounts: [{
        account: `${site.devices[0]}/com.whatsapp/0`,
        state: "ok",
        appVersion: "2.26.2",
        firstInstalledAt: 7,
        userKind: "work",
        captions: false,
        ownNumber,
      }],
    });
  await report("+972541234567");
  await edit({ confirmed: true });
  await report(null);
  await report("+972541234567");
  const before = await accountOf(house);
  assert.deepEqual(
    [
      before.confirmed,
      before.ownNumber,
      before.userKind,
      before.captions,
      before.firstInstalledAt,
      before.whatsappVersion,
    ],
    [true, "+972541234567", "work", false, 7, "2.26.2"],
  );
  const device = deviceDetailSchema.parse(await house.read("/api/admin/devices/1"));
  assert.deepEqual([device.addresses, device.stateDetail], [["usb:1", "192.0.2.7:5555"], "device online"]);
  await report("+972547654321");
  const after = await accountOf(house);
  assert.deepEqual([after.confirmed, after.ownNumber], [false, "+972547654321"]);
  assert.equal((await activityOf(house))[0], "באפליקציה מחובר עכשיו חשבון אחר. יש לבדוק ולאשר אותו");
});
