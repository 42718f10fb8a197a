import { am } from "./am_command.ts";
import {
  appops,
  asSettings,
  connectivity,
  idleList,
  lockSettings,
  netpolicy,
  settings,
  UID_OF_APPS,
  windowPolicy,
} from "./settings_commands.ts";
import { uiautomator } from "./dump_command.ts";
import { input } from "./input_command.ts";
import { notifications } from "../phone/notifications.ts";
import { activityOf } from "../phone/screens.ts";
import { LATENCY_MS, ProcessKilledError } from "../phone/clock.ts";
import { blackPicture, pictureOf } from "../phone/picture.ts";
import type { ScreenLanguage, UserTraits } from "../phone/traits.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";
import type { ShCall } from "../phone/sh_call.ts";

/** 128 plus the number of SIGKILL. */
const KILLED = 137;

type PhoneCommand = (phone: VirtualPhone, call: ShCall) => number | Promise<number>;

/** Android's own commands, as far as an agent uses them. */
const SYSTEM_COMMANDS: Record<string, PhoneCommand> = {
  am,
  input,
  uiautomator,
  getprop,
  pm,
  cmd: (phone, call) => {
    const [service, ...args] = call.args;
    if (service === "package") return pm(phone, { ...call, args });
    const ofSettings = Object.hasOwn(SETTINGS_SERVICES, service ?? "")
      ? SETTINGS_SERVICES[service!]
      : undefined;
    if (ofSettings) return asSettings(phone, { ...call, args }, ofSettings);
    if (service === "statusbar" && (args[0] === "expand-notifications" || args[0] === "collapse")) {
      phone.isShadeDown = args[0] === "expand-notifications";
      return 0;
    }
    // A note for a person in front of the phone.
    return service === "notification" && args[0] === "post" ? 0 : unknown(call);
  },
  dumpsys,
  content: ({ traits }, call) => {
    const [verb, ...rest] = call.args;
    if (verb !== "query" || !rest.includes("content://com.android.contacts/contacts")) return unknown(call);
    const names = Object.keys(traits.contacts);
    names.forEach((_, index) => call.out(`Row: ${index} _id=${index + 1}\n`));
    if (names.length === 0) call.out("No result found.\n");
    return 0;
  },
  wm: (phone, call) => {
    if (call.args[0] === "size") call.out("Physical size: 1080x2400\n");
    else if (call.args[0] === "dismiss-keyguard") phone.dismissKeyguard();
    else return unknown(call);
    return 0;
  },
  svc: (phone, call) => {
    if (call.args[0] === "power" && call.args[1] === "stayon") phone.staysAwake = call.args[2] !== "false";
    return 0;
  },
  settings: (phone, call) =>
    call.args[0] === "list" ? asSettings(phone, call, settings) : settings(phone, call),
  monkey: async (phone, call) => {
    const app = call.args[call.args.indexOf("-p") + 1] ?? "";
    return await am(phone, { ...call, args: ["start", "-a", "android.intent.action.MAIN", "-p", app] });
  },
  screencap: async (phone, { args, out, limitMs }) => {
    const path = args.find((arg) => !arg.startsWith("-"));
    await phone.latency(LATENCY_MS.screencap);
    const { liar, clock } = phone.context;
    if (liar.lies("stillHangs") && await phone.hang(limitMs) === "killed") return KILLED;
    const picture = liar.lies("stillNotPng")
      ? new TextEncoder().encode("Error: failed to capture the display")
      : liar.lies("stillHuge")
      ? new Uint8Array(20_000_000)
      : liar.lies("stillBlack")
      ? blackPicture()
      : pictureOf(phone);
    if (path === undefined) out(picture);
    else phone.files.write(path, picture, 0o660, Math.floor(clock.now() / 1_000));
    return 0;
  },
  reboot: (phone) => {
    // No code waits until the phone is back. Only a stop of the simulator kills this.
    phone.reboot().catch(ignoreKill);
    throw new ProcessKilledError("The phone rebooted");
  },
};

const SETTINGS_SERVICES: Record<string, PhoneCommand> = { appops, netpolicy, lock_settings: lockSettings };

/** Returns Android's own command of that name on this phone; undefined = there is none. */
export function systemCommand(
  phone: VirtualPhone,
  name: string,
): ((call: ShCall) => number | Promise<number>) | undefined {
  const command = Object.hasOwn(SYSTEM_COMMANDS, name) ? SYSTEM_COMMANDS[name] : undefined;
  return command && ((call) => command(phone, call));
}

/** Lets a background act end silently when its phone or the simulator stops during it. */
export function ignoreKill(error: unknown): void {
  if (!(error instanceof ProcessKilledError)) throw error;
}

function unknown(call: ShCall): number {
  call.err(`Unknown command: ${call.args.join(" ")}\n`);
  return 255;
}

const LOCALES: Record<ScreenLanguage, string> = {
  he: "he-IL",
  en: "en-US",
  ar: "ar-EG",
  ru: "ru-RU",
  fr: "fr-FR",
};

function getprop({ traits, desk, reportedSerial, isBooting }: VirtualPhone, { args, out }: ShCall): number {
  const properties: Record<string, string> = {
    "ro.build.version.release": traits.androidVersion,
    "ro.product.manufacturer": traits.manufacturer,
    "ro.product.model": traits.model,
    "ro.serialno": reportedSerial,
    "ro.boot.serialno": reportedSerial,
    "persist.sys.locale": LOCALES[traits.language],
    "persist.security.adbinput": desk.adbInput,
    "ro.miui.ui.version.name": traits.manufacturer === "Xiaomi" ? "V14" : "",
    "sys.boot_completed": isBooting ? "" : "1",
  };
  if (args[0] !== undefined) out(`${properties[args[0]] ?? args[1] ?? ""}\n`);
  else for (const [name, value] of Object.entries(properties)) out(`[${name}]: [${value}]\n`);
  return 0;
}

function pm(phone: VirtualPhone, call: ShCall): number {
  const [verb, what, ...rest] = call.args;
  if (verb !== "list") return unknown(call);
  if (what === "users") {
    call.out("Users:\n");
    for (const [id, { name, flags, isRunning }] of usersOf(phone)) {
      call.out(`\tUserInfo{${id}:${name}:${flags.toString(16)}}${isRunning ? " running" : ""}\n`);
    }
    return 0;
  }
  if (what !== "packages") return unknown(call);
  const user = rest.includes("--user") ? Number(rest[rest.indexOf("--user") + 1]) : 0;
  const filter = rest.find((arg, index) => !arg.startsWith("-") && rest[index - 1] !== "--user") ?? "";
  const apps = phone.accounts.filter(({ traits }) => traits.user === user).map(({ traits }) => traits.app);
  for (const app of ["android", "com.android.systemui", ...apps]) {
    // Each version of an app has a folder of its own.
    const path = rest.includes("-f") ? `/data/app/~~${phone.appVersion}==/${app}-1==/base.apk=` : "";
    if (app.includes(filter)) call.out(`package:${path}${app}${rest.includes("-U") ? UID_OF_APPS : ""}\n`);
  }
  return 0;
}

const OWNER: UserTraits = { name: "Owner", flags: 0xc13, isRunning: true };
const WORK: UserTraits = { name: "Profile", flags: 0x1030, isRunning: true };

/** Returns every Android user of the phone, the owner first. */
function usersOf({ traits }: VirtualPhone): [id: number, user: UserTraits][] {
  const ids = new Set([
    0,
    ...traits.accounts.map(({ user }) => user),
    ...Object.keys(traits.users).map(Number),
  ]);
  return [...ids].map((id) => [id, traits.users[id] ?? (id === 0 ? OWNER : WORK)]);
}

function dumpsys(phone: VirtualPhone, call: ShCall): number | Promise<number> {
  const [service = "", subject = ""] = call.args;
  phone.reads[service] = (phone.reads[service] ?? 0) + 1;
  if (service === "battery") return battery(phone, call);
  if (service === "power") {
    call.out(
      `POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness=${
        phone.isAwake ? "Awake" : "Asleep"
      }\n`,
    );
    call.out(`  mStayOn=${phone.staysAwake}\n`);
    return 0;
  }
  if (service === "trust") return trust(phone, call);
  if (service === "window" && subject === "policy") return asSettings(phone, call, windowPolicy);
  if (service === "window") return windows(phone, call);
  if (service === "deviceidle") return asSettings(phone, call, idleList);
  if (service === "connectivity") return asSettings(phone, call, connectivity);
  if (service === "package") return packageOf(phone, subject, call);
  if (service === "notification") return notifications(phone, call);
  call.err(`Can't find service: ${service}\n`);
  return 0;
}

function battery(
  { battery: { level, temperatureTenths, isCharging } }: VirtualPhone,
  { out }: ShCall,
): number {
  out(
    `Current Battery Service state:\n  AC powered: false\n  USB powered: ${isCharging}\n  Wireless powered: false\n`,
  );
  out(`  status: ${isCharging ? 2 : 3}\n  health: 2\n  present: true\n  level: ${level}\n  scale: 100\n`);
  out(`  voltage: 4123\n  temperature: ${temperatureTenths}\n  technology: Li-ion\n`);
  return 0;
}

/** Prints whether a lock with a PIN is closed, also while the phone sleeps. */
function trust(phone: VirtualPhone, { out }: ShCall): number {
  out("Trust manager state:\n");
  for (const [id, { name, flags }] of usersOf(phone)) {
    const isCurrent = id === phone.currentUser ? " (current)" : "";
    const isLocked = phone.isLocked && phone.wantsPin ? 1 : 0;
    out(` User "${name}" (id=${id}, flags=0x${flags.toString(16)})${isCurrent}: trusted=0, trustManaged=0, `);
    out(`deviceLocked=${isLocked}, strongAuthRequired=0x0\n`);
  }
  return 0;
}

function windows(phone: VirtualPhone, { out }: ShCall): number {
  const isShowing = phone.isLocked || !phone.isAwake;
  const focus = isShowing || phone.isShadeDown ? "NotificationShade" : activityOf(phone);
  const played = isShowing ? undefined : phone.player?.current;
  const shown = phone.context.liar.lies("focusNull") || played?.activity === null
    ? "null"
    : `Window{5e1a7c3 u${played?.user ?? phone.accountInFront?.traits.user ?? 0} ${
      played?.activity ?? focus
    }}`;
  out(`WINDOW MANAGER WINDOWS (dumpsys window windows)\n  mCurrentFocus=${shown}\n`);
  out(`  mFocusedApp=ActivityRecord{8f3b1d2 u0 ${activityOf(phone)} t21}\n`);
  out(
    `    isStatusBarKeyguard=${isShowing}\n    isKeyguardShowing=${isShowing}\n    mDreamingLockscreen=${isShowing}\n`,
  );
  return 0;
}

function packageOf(phone: VirtualPhone, app: string, { out }: ShCall): number {
  const accounts = phone.accounts.filter(({ traits }) => traits.app === app);
  if (accounts.length === 0) {
    out(`Dexopt state:\n  Unable to find package: ${app}\n`);
    return 0;
  }
  out(`Packages:\n  Package [${app}] (a1b2c3d):\n    userId=10234\n    pkg=Package{c0ffee1 ${app}}\n`);
  out(`    versionCode=253776000 minSdk=21 targetSdk=35\n    versionName=${phone.appVersion}\n`);
  const first = Math.min(...accounts.map(({ traits }) => traits.firstInstalledAt));
  out(`    firstInstallTime=${localTime(first)}\n    lastUpdateTime=${localTime(first)}\n`);
  for (const { traits } of accounts) {
    out(
      `    User ${traits.user}: ceDataInode=4242 installed=true hidden=false suspended=false stopped=false\n`,
    );
    out(`      firstInstallTime=${localTime(traits.firstInstalledAt)}\n      runtime permissions:\n`);
    const isGranted = phone.desk.notifications === "allow";
    out(`        android.permission.POST_NOTIFICATIONS: granted=${isGranted}, flags=[ USER_SET ]\n`);
  }
  return 0;
}

/** Returns "2024-05-17 09:30:00", in the phone's own time zone, in the form of dumpsys. */
function localTime(at: number): string {
  return new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "medium",
    timeZone: "Asia/Jerusalem",
  })
    .format(at);
}
