import assert from "node:assert/strict";
import { startTestPhone } from "../testing/test_phone.ts";
import { readRunningUsers, readUsers } from "./android_users.ts";
import { discoverAccounts, readAppFacts } from "./discover_accounts.ts";
import { askHealth, readHealth } from "./health.ts";

const FINE = "boot=1\n  USB powered: false\n  level: 80\n  temperature: 300\n  mWakefulness=Asleep\n" +
  "  isKeyguardShowing=true\n/dev/block/dm-5 110000000 50000000 60000000 46% /data\n";

Deno.test("readHealth() names the one thing that stops a phone from working", () => {
  assert.deepEqual(readHealth(FINE), { state: "online", batteryPercent: 80, detail: null });
  assert.equal(readHealth(FINE.replace("boot=1", "boot=")).state, "booting");
  assert.equal(readHealth(FINE.replace("Asleep", "Awake")).state, "locked");
  assert.equal(readHealth(FINE.replace("level: 80", "level: 10")).state, "low_battery");
  assert.equal(readHealth(FINE.replace("level: 80", "level: 101")).batteryPercent, 100);
  assert.equal(readHealth(FINE.replace("level: 80", "level: 10").replace("false", "true")).state, "online");
  assert.deepEqual(readHealth(FINE.replace("300", "461")), {
    state: "hot",
    batteryPercent: 80,
    detail: "battery at 46.1 °C",
  });
  assert.equal(readHealth(FINE.replace("60000000", "100000")).detail, "97 MB free on /data");
  const trust = (user: number) => `${FINE} User "Owner" (id=${user}, flags=0x13) (current): deviceLocked=1\n`;
  assert.equal(readHealth(`user=0\n${trust(0)}`).state, "locked", "also while it sleeps");
  assert.equal(readHealth(`user=0\n${trust(10)}`).state, "online", "another user's lock is not in the way");
});

Deno.test("askHealth() reads a healthy phone, and one that needs a PIN", async () => {
  await using well = await startTestPhone();
  assert.deepEqual((await askHealth(well.phone)).health, {
    state: "online",
    batteryPercent: 87,
    detail: null,
  });
  await using guarded = await startTestPhone({ hasPin: true });
  assert.equal((await askHealth(guarded.phone)).health.state, "locked");
});

Deno.test("askHealth() opens a lock without a PIN on a phone that never sleeps, and leaves one with a PIN", async () => {
  await using test = await startTestPhone();
  test.inside.staysAwake = true;
  test.inside.wake();
  assert.equal((await askHealth(test.phone)).health.state, "online");
  test.inside.lock();
  test.inside.wake();
  test.inside.isPinSet = true;
  assert.equal((await askHealth(test.phone)).health.state, "locked");
  assert.equal(test.inside.isLocked, true);
});

Deno.test("discoverAccounts() finds every app in every running Android user, with the kind of user", async () => {
  const firstInstalledAt = Date.UTC(2025, 5, 1, 9);
  await using test = await startTestPhone({
    accounts: [
      { app: "com.whatsapp", user: 0, firstInstalledAt },
      { app: "com.whatsapp.w4b", user: 0, firstInstalledAt },
      { app: "com.whatsapp", user: 10, firstInstalledAt: firstInstalledAt + 86_400_000 },
      { app: "com.whatsapp", user: 11, firstInstalledAt },
      { app: "com.whatsapp", user: 12, firstInstalledAt },
    ],
    users: {
      11: { name: "Dana: second", flags: 0x410, isRunning: true },
      12: { name: "Old", flags: 0x410, isRunning: false },
    },
  }, { now: () => Date.UTC(2025, 5, 20) });
  const found = await discoverAccounts(test.phone);
  const at = Object.fromEntries(
    found.map(({ account, ...facts }) => [account.replace("SIM0001/", ""), facts]),
  );
  assert.deepEqual(Object.keys(at).sort(), [
    "com.whatsapp.w4b/0",
    "com.whatsapp/0",
    "com.whatsapp/10",
    "com.whatsapp/11",
  ]);
  const appVersion = "2.25.37.76";
  assert.deepEqual(at["com.whatsapp/0"], {
    appVersion,
    firstInstalledAt,
    userKind: "owner",
    isInFront: true,
    language: "he",
  });
  assert.deepEqual(at["com.whatsapp/10"], {
    appVersion,
    firstInstalledAt: firstInstalledAt + 86_400_000,
    language: "he",
    userKind: "work",
    isInFront: true,
  });
  assert.deepEqual([at["com.whatsapp/11"]?.userKind, at["com.whatsapp/11"]?.isInFront], ["secondary", false]);
  test.inside.currentUser = 11;
  const front = (await discoverAccounts(test.phone)).filter(({ isInFront }) => isInFront);
  assert.deepEqual(front.map(({ account }) => account), [
    "SIM0001/com.whatsapp/10",
    "SIM0001/com.whatsapp/11",
  ]);
});

Deno.test("readUsers() distinguishes owner, work profile and other users by their flags, not their names", () => {
  const output = "Users:\n\tUserInfo{0:Owner:c13} running\n\tUserInfo{10:Work {x}:1030} running\n" +
    "\tUserInfo{11:Old:10}\n\tUserInfo{95:DUAL_APP:20001030} running\n\tUserInfo{999:clone:1010} running\n";
  assert.deepEqual(readUsers(output).map(({ id, kind, isProfile }) => [id, kind, isProfile]), [
    [0, "owner", false],
    [10, "work", true],
    [11, "secondary", false],
    [95, "secondary", true],
    [999, "secondary", true],
  ]);
  assert.deepEqual(readRunningUsers(output), [0, 10, 95, 999]);
});

Deno.test("readAppFacts() reads each user's own time, else the package's, in the phone's zone", () => {
  const perUser = "zone=+0300\n    versionName=2.25.1\n    User 0: installed=true\n" +
    "      firstInstallTime=2025-06-01 12:00:00\n    User 10: installed=true\n" +
    "      firstInstallTime=2025-06-02 12:00:00\n    User 95: installed=true\n" +
    "      firstInstallTime=1970-01-01 02:00:00\n    User 999: installed=true\n" +
    "      firstInstallTime=2009-01-01 02:00:00\n";
  const noon = Date.UTC(2025, 5, 1, 9);
  const facts = readAppFacts(perUser);
  assert.equal(facts.appVersion, "2.25.1");
  assert.deepEqual([...facts.firstInstalledAt], [[0, noon], [10, noon + 86_400_000]]);
  const ofPackage = "zone=+0300\nfirstInstallTime=2025-06-01 12:00:00\n    User 0: x\n    User 10: x\n";
  assert.deepEqual([...readAppFacts(ofPackage).firstInstalledAt], [[0, noon], [10, noon]]);
  const preinstalled = ofPackage.replace("2025-06-01 12:00:00", "2009-01-01 02:00:00");
  assert.deepEqual([...readAppFacts(preinstalled).firstInstalledAt], []);
});

Deno.test("readAppFacts() reads the language that a person chose, else the factory's, in today's codes", () => {
  const languageOf = (locales: string) =>
    readAppFacts(`zone=+0200 locale=${locales}\nversionName=2.25`).language;
  assert.equal(languageOf("iw-IL,en-US"), "he");
  assert.equal(languageOf(",ru-RU"), "ru");
  assert.equal(languageOf("ar,"), "ar");
  assert.equal(languageOf(","), null);
  assert.equal(languageOf("fil-PH,"), null, "a language of three letters");
});

Deno.test("readAppFacts() returns nothing for an app without facts", () => {
  assert.deepEqual(readAppFacts(""), { appVersion: null, language: null, firstInstalledAt: new Map() });
});
