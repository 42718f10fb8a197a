/** What a phone says of its settings, in the words of AOSP's shell commands. Not seen on a phone. */
import type { ShCall } from "../phone/sh_call.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

type PhoneCommand = (phone: VirtualPhone, call: ShCall) => number | Promise<number>;

const KILLED = 137;
const FLOOD_LINES = 5_000;
const UID = 10_234;

/** Runs a question for settings, or answers as a strange phone does. */
export async function asSettings(phone: VirtualPhone, call: ShCall, command: PhoneCommand): Promise<number> {
  const { answers } = phone.desk;
  if (answers === "hangs") {
    if (await phone.hang(call.limitMs) === "killed") return KILLED;
  } else if (answers === "nonsense") {
    call.out("java.lang.SecurityException: \u202Eno\u0007 permission\n@global\nlow_power=maybe\n=\n");
    return 0;
  } else if (answers === "flood") {
    for (let line = 0; line < FLOOD_LINES; line++) {
      call.out(`system_locales=low_power=secure=user,${"x".repeat(80)}\n`);
    }
    return 0;
  }
  return await command(phone, call);
}

/** Runs `settings get|put|list`. */
export function settings(
  phone: VirtualPhone,
  { args: [verb, namespace, key, value = ""], out }: ShCall,
): number {
  if (verb === "put" && namespace === "global" && key === STAY_ON) phone.staysAwake = Number(value) !== 0;
  else if (verb === "put") phone.settings.set(`${namespace} ${key}`, value);
  const all = new Map([...deskSettings(phone), ...phone.settings]);
  if (verb === "get") out(`${all.get(`${namespace} ${key}`) ?? "null"}\n`);
  else if (verb === "list") {
    for (const [name, held] of all) {
      const [space, ...rest] = name.split(" ");
      if (space === namespace) out(`${rest.join(" ")}=${held}\n`);
    }
  }
  return 0;
}

const STAY_ON = "stay_on_while_plugged_in";

function deskSettings({ desk, staysAwake, traits }: VirtualPhone): Map<string, string> {
  const isOn = (value: boolean) => value ? "1" : "0";
  const held: [string, string | null][] = [
    ["global airplane_mode_on", "0"],
    ["global wifi_on", isOn(desk.network !== "none")],
    [`global ${STAY_ON}`, staysAwake ? "7" : "0"],
    ["global low_power", isOn(desk.batterySaver)],
    ["global wifi_sleep_policy", desk.wifiSleepPolicy],
    ["global window_animation_scale", desk.animations],
    ["global transition_animation_scale", desk.animations],
    ["global animator_duration_scale", desk.animations],
    ["global auto_time", isOn(desk.hasAutomaticTime)],
    ["global ota_disable_automatic_update", isOn(!desk.updatesItself)],
    [
      "system system_locales",
      desk.locales ?? (traits.language === "he" ? "iw-IL,en-US" : `${traits.language}-US`),
    ],
  ];
  return new Map(held.filter((one): one is [string, string] => one[1] !== null));
}

/** Runs `cmd appops get [--user N] APP OPERATION`. */
export function appops({ desk }: VirtualPhone, { args, out, err }: ShCall): number {
  const operation = args.at(-1) ?? "";
  const modes: Record<string, string> = {
    RUN_ANY_IN_BACKGROUND: desk.background,
    POST_NOTIFICATION: desk.notifications,
    AUTO_REVOKE_PERMISSIONS_IF_UNUSED: desk.pausesUnused ? "default" : "ignore",
  };
  const mode = Object.hasOwn(modes, operation) ? modes[operation]! : null;
  if (args[0] !== "get" || mode === null) {
    err(`Error: Unknown operation string: ${operation}\n`);
    return 255;
  }
  out(mode === "allow" ? "No operations.\nDefault mode: allow\n" : `${operation}: ${mode}\n`);
  return 0;
}

/** Runs `cmd netpolicy get restrict-background` and `… list restrict-background-blacklist`. */
export function netpolicy({ desk }: VirtualPhone, { args: [verb, what], out }: ShCall): number {
  if (verb === "get" && what === "restrict-background") {
    out(`Restrict background status: ${desk.dataSaver ? "enabled" : "disabled"}\n`);
    return 0;
  }
  if (verb === "list" && what === "restrict-background-blacklist") {
    out(`Restrict background blacklisted UIDs: ${desk.isDataDenied ? `${UID} ` : "none"}\n`);
    return 0;
  }
  out(`Error: unknown ${verb} type '${what}'\n`);
  return 255;
}

/** Runs `cmd lock_settings get-disabled`. */
export function lockSettings(phone: VirtualPhone, { args: [verb], out }: ShCall): number {
  if (verb !== "get-disabled") return 255;
  out(`${phone.desk.lock === "none" && !phone.wantsPin}\n`);
  return 0;
}

/** Runs `dumpsys deviceidle whitelist`. */
export function idleList({ desk, accounts }: VirtualPhone, { out }: ShCall): number {
  out("system-excidle,com.android.providers.calendar,10098\nsystem,com.android.shell,2000\n");
  for (const app of new Set(accounts.map(({ traits }) => traits.app))) {
    if (desk.isExempt) out(`user,${app},${UID}\n`);
  }
  return 0;
}

/** Runs `dumpsys connectivity`, as far as it names the network in use. */
export function connectivity({ desk }: VirtualPhone, { out }: ShCall): number {
  out(`NetworkProviders for:\n  Wifi\n\nActive default network: ${desk.network}\n\nCurrent Networks:\n`);
  return 0;
}

/** Runs `dumpsys window policy`, as far as it tells of the keyguard. */
export function windowPolicy(phone: VirtualPhone, { out }: ShCall): number {
  const isShowing = phone.isLocked || !phone.isAwake;
  out(`WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    KeyguardServiceDelegate\n`);
  out(
    `      showing=${isShowing}\n      occluded=false\n      secure=${phone.wantsPin}\n      dreaming=false\n`,
  );
  return 0;
}

/** Runs `am get-standby-bucket`: 5 is exempt, 10 active. */
export function standbyBucket({ desk }: VirtualPhone, { out }: ShCall): number {
  out(`${desk.isExempt ? 5 : 10}\n`);
  return 0;
}

/** The end of a line of `pm list packages -U`. */
export const UID_OF_APPS = ` uid:${UID}`;
