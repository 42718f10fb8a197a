import assert from "node:assert/strict";
import { createAdbClient } from "../adb/client.ts";
import { systemClock } from "../time/system_clock.ts";
import { tempFolder } from "../testing/temp_folder.ts";
import { type DeskSettings, preparedDesk } from "../../simulator/phone/desk_settings.ts";
import type { PhoneTraits } from "../../simulator/phone/traits.ts";
import type { VirtualPhone } from "../../simulator/phone/virtual_phone.ts";
import { startSimulator } from "../../simulator/start_simulator.ts";
import { adbPhone } from "./adb_phone.ts";
import { askSettings, readSettings, type SettingSight, type SettingsSight } from "./phone_settings.ts";
import type { DeskPoint } from "shared/desk_guide.ts";

const WHATSAPP = { device: "SIM0001", app: "com.whatsapp", user: 0 };
const MAKERS = ["samsung", "Xiaomi", "motorola", "Google"];

/** Asks one simulated phone, which a person has prepared but for `desk`. */
async function ask(
  manufacturer: string,
  desk: Partial<DeskSettings> = {},
  { traits = {}, act = () => {} }: { traits?: Partial<PhoneTraits>; act?: (phone: VirtualPhone) => void } =
    {},
): Promise<SettingsSight> {
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    // A hanging command is killed, as after its seconds.
    hangMs: { min: 60_000, max: 60_000 },
    sleep: () => Promise.resolve(),
    tapLogPath: `${await tempFolder()}/taps.jsonl`,
    traits: () => ({
      manufacturer,
      androidVersion: "14",
      language: "he",
      desk: { ...preparedDesk(manufacturer), ...desk },
      ...traits,
    }),
  });
  try {
    simulator.phones[0]!.staysAwake = true;
    act(simulator.phones[0]!);
    const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
    const phone = adbPhone({ adb, clock: systemClock, device: "SIM0001", address: () => "SIM0001" });
    return await askSettings(phone, [WHATSAPP]);
  } finally {
    await simulator.shutdown();
  }
}

function pointsWith({ points }: SettingsSight, verdict: SettingSight["verdict"]): DeskPoint[] {
  return points.filter((one) => one.verdict === verdict).map(({ point }) => point);
}

const BY_HAND: Record<string, DeskPoint[]> = {
  samsung: ["auto_blocker", "sleeping_apps", "app_updates", "app_backup", "system_updates"],
  Xiaomi: ["autostart", "app_updates", "app_backup", "system_updates"],
  motorola: ["app_updates", "app_backup"],
  Google: ["app_updates", "app_backup"],
};

for (const maker of MAKERS) {
  Deno.test(`a prepared phone of ${maker} is right in all that a command shows, and the rest is unseen`, async () => {
    const sight = await ask(maker);
    assert.deepEqual(pointsWith(sight, "wrong"), []);
    assert.deepEqual(pointsWith(sight, "unseen"), BY_HAND[maker]);
    assert.equal(sight.maker, maker.toLowerCase());
  });
}

const WRONG: [point: DeskPoint, desk: Partial<DeskSettings>, seen: RegExp][] = [
  ["animations", { animations: "1.0" }, /^1\.0, 1\.0, 1\.0$/],
  ["battery_saver", { batterySaver: true }, /^1$/],
  ["app_battery", { isExempt: false }, /^com\.whatsapp\/0: not listed$/],
  ["app_battery", { background: "ignore" }, /^com\.whatsapp\/0: ignore in the background$/],
  ["unused_apps", { pausesUnused: true }, /^com\.whatsapp\/0: default$/],
  ["network", { network: "none" }, /^wifi_on=0$/],
  ["data_saver", { dataSaver: true }, /^enabled$/],
  ["data_saver", { isDataDenied: true }, /no background data$/],
  ["notifications", { notifications: "ignore" }, /permission is refused$/],
  ["clock", { hasAutomaticTime: false }, /^not automatic$/],
  ["clock", { clockAheadS: 3_600 }, /^3\d{3} s apart/],
  ["language", { locales: "fr-FR,iw-IL" }, /^fr-FR,iw-IL$/],
  ["memory", { freeMemoryMb: 244 }, /^244 MB$/],
];

for (const [point, desk, seen] of WRONG) {
  Deno.test(`${point} is wrong with ${JSON.stringify(desk)}, and nothing else is`, async () => {
    const sight = await ask("motorola", desk);
    assert.deepEqual(pointsWith(sight, "wrong"), [point]);
    assert.match(sight.points.find((one) => one.point === point)!.seen, seen);
  });
}

Deno.test("stay_awake is wrong on a phone that was never set", async () => {
  const sight = await ask("Google", {}, { act: (phone) => void (phone.staysAwake = false) });
  assert.deepEqual(pointsWith(sight, "wrong"), ["stay_awake"]);
});

Deno.test("screen_lock is wrong with a PIN, also while the phone is open, and right with a swipe", async () => {
  assert.deepEqual(pointsWith(await ask("Google", {}, { traits: { hasPin: true } }), "wrong"), [
    "screen_lock",
  ]);
  assert.deepEqual(pointsWith(await ask("Google", { lock: "swipe" }), "wrong"), []);
});

Deno.test("usb_input is asked of Xiaomi alone: off when the property is empty or 0", async () => {
  assert.deepEqual(pointsWith(await ask("Xiaomi", { adbInput: "" }), "wrong"), ["usb_input"]);
  assert.deepEqual(pointsWith(await ask("Xiaomi", { adbInput: "0" }), "wrong"), ["usb_input"]);
  assert.ok(!(await ask("samsung")).points.some(({ point }) => point === "usb_input"));
});

Deno.test("wifi_sleep counts on Android 8 to 10, and system_updates where the maker has no updater of its own", async () => {
  const old = { androidVersion: "9" };
  assert.deepEqual(pointsWith(await ask("Google", { wifiSleepPolicy: "0" }, { traits: old }), "wrong"), [
    "wifi_sleep",
  ]);
  const unset = await ask("Google", { wifiSleepPolicy: null }, { traits: old });
  assert.ok(pointsWith(unset, "unseen").includes("wifi_sleep"));
  assert.deepEqual(pointsWith(await ask("Google", { wifiSleepPolicy: "0" }), "wrong"), []);
  assert.deepEqual(pointsWith(await ask("motorola", { updatesItself: true }), "wrong"), ["system_updates"]);
  assert.deepEqual(pointsWith(await ask("samsung", { updatesItself: true }), "wrong"), []);
});

Deno.test("two_apps is wrong while a work profile with an account does not run", async () => {
  const users = { 10: { name: "Work profile", flags: 0x1030, isRunning: false } };
  const sight = await ask("Google", {}, { traits: { users } });
  assert.deepEqual(pointsWith(sight, "wrong"), ["two_apps"]);
  assert.equal(sight.points.find(({ point }) => point === "two_apps")!.seen, "not in use: 10");
});

for (const answers of ["nonsense", "hangs", "flood"] as const) {
  Deno.test(`a phone that answers with ${answers} has no setting that counts as right without being seen`, async () => {
    const sight = await ask("samsung", { answers });
    // What needs none of the strange commands is still seen.
    const seen = ["wifi_sleep", "two_apps", "memory", "language"];
    assert.deepEqual(pointsWith(sight, "right").filter((point) => !seen.includes(point)), []);
    assert.deepEqual(pointsWith(sight, "wrong"), []);
    for (const { seen } of sight.points) assert.doesNotMatch(seen, /[\p{Cc}\p{Cf}]/u);
  });
}

Deno.test("readSettings() takes 4 MB of any one character, or of lines that begin like answers", () => {
  const size = 4 * 1024 * 1024;
  const starts = [
    " ",
    "\n",
    "@",
    "@global\n",
    "a=",
    "secure=",
    "package:x uid:",
    "UserInfo{0:",
    "UIDs: 1 ",
    "User 0:",
  ];
  for (const start of starts) {
    const { points } = readSettings(start.repeat(Math.ceil(size / start.length)), [WHATSAPP], 0);
    assert.deepEqual(points.filter(({ verdict }) => verdict === "right"), []);
    assert.ok(points.every(({ seen }) => seen.length <= 120));
  }
  const one = `@users\nUserInfo{0:${":".repeat(size)}`;
  assert.equal(
    readSettings(one, [WHATSAPP], 0).points.find(({ point }) => point === "two_apps")!.verdict,
    "unseen",
  );
});

Deno.test("readSettings() of an empty answer sees nothing", () => {
  const { maker, points } = readSettings("", [], 0);
  assert.equal(maker, null);
  assert.ok(points.length > 10);
  assert.deepEqual([...new Set(points.map(({ verdict }) => verdict))], ["unseen"]);
});
