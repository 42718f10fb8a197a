import { am } from "./am_command.ts";
import { uiautomator } from "./dump_command.ts";
import { input } from "./input_command.ts";
import { activityOf } from "./screens.ts";
import type { ShCall } from "./sh_run.ts";
import { ProcessKilledError } from "./clock.ts";
import type { VirtualPhone } from "./virtual_phone.ts";

type PhoneCommand = (phone: VirtualPhone, call: ShCall) => number | Promise<number>;

/** Android's own commands, as far as an agent asks for them. */
const SYSTEM_COMMANDS: Record<string, PhoneCommand> = {
  am,
  input,
  uiautomator,
  getprop,
  pm,
  cmd: (phone, call) =>
    call.args[0] === "package" ? pm(phone, { ...call, args: call.args.slice(1) }) : unknown(call),
  dumpsys,
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
  settings: (_phone, { args, out }) => {
    if (args[0] === "get") out("null\n");
    return 0;
  },
  monkey: async (phone, call) => {
    const app = call.args[call.args.indexOf("-p") + 1] ?? "";
    return await am(phone, { ...call, args: ["start", "-a", "android.intent.action.MAIN", "-p", app] });
  },
  screencap: (phone, { args, out }) => {
    const path = args.find((arg) => !arg.startsWith("-"));
    if (path === undefined) out(ONE_PIXEL_PNG);
    else phone.files.write(path, ONE_PIXEL_PNG, 0o660, Math.floor(phone.context.clock.now() / 1_000));
    return 0;
  },
  reboot: (phone) => {
    // Nobody waits for a phone to come back; it is killed only when the simulator stops first.
    phone.reboot().catch(ignoreKill);
    throw new ProcessKilledError("The phone rebooted");
  },
};

const ONE_PIXEL_PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
);

export function systemCommand(
  phone: VirtualPhone,
  name: string,
): ((call: ShCall) => number | Promise<number>) | undefined {
  const command = Object.hasOwn(SYSTEM_COMMANDS, name) ? SYSTEM_COMMANDS[name] : undefined;
  return command && ((call) => command(phone, call));
}

/** Lets a background act end quietly when its phone or the simulator stops under it. */
export function ignoreKill(error: unknown): void {
  if (!(error instanceof ProcessKilledError)) throw error;
}

function unknown(call: ShCall): number {
  call.err(`Unknown command: ${call.args.join(" ")}\n`);
  return 255;
}

function getprop({ traits }: VirtualPhone, { args, out }: ShCall): number {
  const properties: Record<string, string> = {
    "ro.build.version.release": traits.androidVersion,
    "ro.product.manufacturer": traits.manufacturer,
    "ro.product.model": traits.model,
    "ro.serialno": traits.serial,
    "ro.boot.serialno": traits.serial,
    "persist.sys.locale": traits.language === "he" ? "he-IL" : "en-US",
    "sys.boot_completed": "1",
  };
  if (args[0] !== undefined) out(`${properties[args[0]] ?? args[1] ?? ""}\n`);
  else for (const [name, value] of Object.entries(properties)) out(`[${name}]: [${value}]\n`);
  return 0;
}

function pm(phone: VirtualPhone, call: ShCall): number {
  const [verb, what, ...rest] = call.args;
  if (verb !== "list") return unknown(call);
  const users = [...new Set([0, ...phone.accounts.map(({ traits }) => traits.user)])];
  if (what === "users") {
    call.out("Users:\n");
    for (const user of users) {
      call.out(`\tUserInfo{${user}:${user === 0 ? "Owner:c13" : "Profile:1030"}} running\n`);
    }
    return 0;
  }
  if (what !== "packages") return unknown(call);
  const user = rest.includes("--user") ? Number(rest[rest.indexOf("--user") + 1]) : 0;
  const filter = rest.find((arg, index) => !arg.startsWith("-") && rest[index - 1] !== "--user") ?? "";
  const apps = phone.accounts.filter(({ traits }) => traits.user === user).map(({ traits }) => traits.app);
  for (const app of ["android", "com.android.systemui", ...apps]) {
    if (app.includes(filter)) call.out(`package:${app}\n`);
  }
  return 0;
}

function dumpsys(phone: VirtualPhone, call: ShCall): number {
  const [service, subject = ""] = call.args;
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
  if (service === "window") return windows(phone, call);
  if (service === "package") return packageOf(phone, subject, call);
  call.err(`Can't find service: ${service ?? ""}\n`);
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

function windows(phone: VirtualPhone, { out }: ShCall): number {
  const isShowing = phone.isLocked || !phone.isAwake;
  const focus = isShowing ? "NotificationShade" : activityOf(phone);
  const shown = phone.context.liar.tells("focusNull") ? "null" : `Window{5e1a7c3 u0 ${focus}}`;
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
  out(`    versionCode=253776000 minSdk=21 targetSdk=35\n    versionName=${phone.traits.appVersion}\n`);
  const first = Math.min(...accounts.map(({ traits }) => traits.firstInstalledAt));
  out(`    firstInstallTime=${localTime(first)}\n    lastUpdateTime=${localTime(first)}\n`);
  for (const { traits } of accounts) {
    out(
      `    User ${traits.user}: ceDataInode=4242 installed=true hidden=false suspended=false stopped=false\n`,
    );
    out(`      firstInstallTime=${localTime(traits.firstInstalledAt)}\n`);
  }
  return 0;
}

/** "2024-05-17 09:30:00", in the phone's own time zone, as dumpsys writes it. */
function localTime(at: number): string {
  return new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "medium",
    timeZone: "Asia/Jerusalem",
  })
    .format(at);
}
