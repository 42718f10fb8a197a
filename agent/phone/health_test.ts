import assert from "node:assert/strict";
import { startTestPhone } from "../testing/test_phone.ts";
import { discoverAccounts, readAppFacts, readRunningUsers } from "./discover_accounts.ts";
import { askHealth, readHealth } from "./health.ts";

const FINE = "boot=1\n  USB powered: false\n  level: 80\n  temperature: 300\n  mWakefulness=Asleep\n" +
  "  isKeyguardShowing=true\n/dev/block/dm-5 110000000 50000000 60000000 46% /data\n";

Deno.test("readHealth() names the one thing that keeps a phone from work", () => {
  assert.deepEqual(readHealth(FINE), { state: "online", batteryPercent: 80 });
  assert.equal(readHealth(FINE.replace("boot=1", "boot=")).state, "booting");
  assert.equal(readHealth(FINE.replace("Asleep", "Awake")).state, "locked");
  assert.equal(readHealth(FINE.replace("level: 80", "level: 10")).state, "low_battery");
  assert.equal(readHealth(FINE.replace("level: 80", "level: 101")).batteryPercent, 100);
  assert.equal(readHealth(FINE.replace("level: 80", "level: 10").replace("false", "true")).state, "online");
  assert.equal(readHealth(FINE.replace("300", "460")).state, "hot");
  assert.equal(readHealth(FINE.replace("60000000", "100000")).state, "low_storage");
});

Deno.test("askHealth() reads a phone that is well, and one that wants a PIN", async () => {
  await using well = await startTestPhone();
  assert.deepEqual(await askHealth(well.phone), { state: "online", batteryPercent: 87 });
  await using guarded = await startTestPhone({ hasPin: true });
  guarded.inside.wake();
  assert.equal((await askHealth(guarded.phone)).state, "locked");
});

Deno.test("discoverAccounts() finds every app in every running Android user", async () => {
  const firstInstalledAt = Date.UTC(2025, 5, 1, 9);
  await using test = await startTestPhone({
    accounts: [
      { app: "com.whatsapp", user: 0, firstInstalledAt },
      { app: "com.whatsapp.w4b", user: 0, firstInstalledAt },
      { app: "com.whatsapp", user: 10, firstInstalledAt },
    ],
  });
  const found = await discoverAccounts(test.phone);
  assert.deepEqual(found.map(({ account }) => account).sort(), [
    "SIM0001/com.whatsapp.w4b/0",
    "SIM0001/com.whatsapp/0",
    "SIM0001/com.whatsapp/10",
  ]);
  assert.equal(found[0]?.appVersion, "2.25.37.76");
  assert.equal(new Date(found[0]!.firstInstalledAt!).toISOString().slice(0, 10), "2025-06-01");
});

Deno.test("readRunningUsers() leaves out users that do not run", () => {
  const output =
    "Users:\n\tUserInfo{0:Owner:c13} running\n\tUserInfo{10:Work {x}:1030} running\n\tUserInfo{11:Old:10}\n";
  assert.deepEqual(readRunningUsers(output), [0, 10]);
});

Deno.test("readAppFacts() knows nothing of an app that says nothing", () => {
  assert.deepEqual(readAppFacts(""), { appVersion: null, firstInstalledAt: null });
});
