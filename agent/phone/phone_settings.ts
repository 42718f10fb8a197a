/**
 * Asks a phone for the settings that keep it at work, in one command. The keys and the words of the answers are those
 * of AOSP (Android 8 to 16) and of vendors' additions; none was seen on a real phone here. What a command does not show
 * is unseen, and never right.
 */
import { type DeskPoint, type Maker, makerOf, pointsOf } from "shared/desk_guide.ts";
import { readUsers } from "./android_users.ts";
import { type AppAccount, type Phone, PhoneCommandError } from "./phone.ts";

export interface SettingSight {
  point: DeskPoint;
  verdict: "right" | "wrong" | "unseen";
  /** The command that shows it; "" = none does. */
  asked: string;
  /** Its answer, or why there is none, in English. Short, and without control characters. */
  seen: string;
}

export interface SettingsSight {
  maker: Maker | null;
  points: SettingSight[];
}

/** Each of the phone's own commands is killed after this. */
const STEP_S = 3;
/** Enough for a phone with two accounts where each of them hangs. */
const TIMEOUT_MS = 90_000;
/** A phone's whole answer is some kilobytes. Anything after this is ignored. */
const MAX_CHARS = 64 * 1024;
const MAX_LINE_CHARS = 400;
const MAX_SEEN_CHARS = 120;
/** More accounts than this on one phone are not asked for. */
const MOST_ACCOUNTS = 8;
/** One farm's phones stopped opening chats at 244 MB. */
const LEAST_FREE_KB = 300 * 1024;
/** A clock that is off by more than this is not set by the network. */
const CLOCK_OFF_S = 120;
/** UsageStatsManager.STANDBY_BUCKET_RESTRICTED: jobs once a day, and no network in between. */
const RESTRICTED_BUCKET = 45;
/** BatteryManager.BATTERY_PLUGGED_USB in stay_on_while_plugged_in. */
const STAY_ON_USB = 2;
/** Languages of the screens that the agent reads; "iw" is Hebrew's old code, which Android still uses. */
const READ_LANGUAGES: readonly string[] = ["he", "iw", "en", "ar", "ru"];
/** Settings.Global.WIFI_SLEEP_POLICY: "no longer used or set by the platform" from Android 11 on. */
const NO_WIFI_SLEEP_SINCE = 11;
const AUTO_REVOKE_SINCE = 11;

/** Not asked on a phone without a messaging app. */
const OF_APPS: readonly DeskPoint[] = ["app_battery", "unused_apps", "data_saver", "notifications"];

const GLOBALS = [
  "stay_on_while_plugged_in",
  "low_power",
  "airplane_mode_on",
  "wifi_on",
  "wifi_sleep_policy",
  "window_animation_scale",
  "transition_animation_scale",
  "animator_duration_scale",
  "auto_time",
  "ota_disable_automatic_update",
];

/**
 * Asks for the settings, of the phone and of its accounts' apps.
 *
 * @throws {AdbError} when the phone does not answer
 */
export async function askSettings(
  phone: Phone,
  accounts: readonly AppAccount[],
  signal?: AbortSignal,
): Promise<SettingsSight> {
  const asked = accounts.slice(0, MOST_ACCOUNTS);
  let output: string;
  try {
    output = await phone.run(settingsCommand(asked), { timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (!(error instanceof PhoneCommandError)) throw error;
    output = error.output;
  }
  return readSettings(output, asked, phone.clock.now());
}

/** Returns the command whose output readSettings() reads: parts, each under a line "@name". */
export function settingsCommand(accounts: readonly AppAccount[]): string {
  const within = (command: string) => `timeout -s KILL ${STEP_S} ${command}`;
  const part = (name: string, command: string) => `echo @${name}; ${command}`;
  const apps = [...new Set(accounts.map(({ app }) => app))];
  return [
    part("maker", "getprop ro.product.manufacturer"),
    part("android", "getprop ro.build.version.release"),
    part("adbinput", "getprop persist.security.adbinput"),
    part("miui", "getprop ro.miui.ui.version.name"),
    part("locale", "getprop persist.sys.locale; getprop ro.product.locale"),
    part("now", "date +%s"),
    part("memory", "cat /proc/meminfo | grep -E '^MemAvailable:'"),
    part("global", `${within("settings list global")} | grep -E '^(${GLOBALS.join("|")})='`),
    part("system", `${within("settings list system")} | grep -E '^system_locales='`),
    part("lock", `${within("cmd lock_settings get-disabled")} | head -n 2`),
    part("guard", `${within("dumpsys window policy")} | grep -E '^ *secure=' | head -n 2`),
    part("idle", `${within("dumpsys deviceidle whitelist")} | grep -E '^(system|user)' | head -n 400`),
    part("saver", `${within("cmd netpolicy get restrict-background")} | head -n 2`),
    part("denied", `${within("cmd netpolicy list restrict-background-blacklist")} | head -n 2`),
    part("network", `${within("dumpsys connectivity")} | grep -E '^ *Active default network:' | head -n 1`),
    part("users", `${within("pm list users")} | head -n 40`),
    ...apps.map((app) =>
      part(
        `may ${app}`,
        `${within(`dumpsys package ${app}`)} | ` +
          `grep -E '^ +User [0-9]+:|android.permission.POST_NOTIFICATIONS: granted=' | head -n 40`,
      )
    ),
    ...accounts.flatMap(({ app, user }) => {
      const op = (name: string) =>
        part(
          `${name} ${app}/${user}`,
          `${within(`cmd appops get --user ${user} ${app} ${name}`)} | head -n 3`,
        );
      return [
        op("RUN_ANY_IN_BACKGROUND"),
        op("POST_NOTIFICATION"),
        op("AUTO_REVOKE_PERMISSIONS_IF_UNUSED"),
        part(`bucket ${app}/${user}`, `${within(`am get-standby-bucket --user ${user} ${app}`)} | head -n 1`),
        part(`uid ${app}/${user}`, `${within(`pm list packages -U --user ${user} ${app}`)} | head -n 4`),
      ];
    }),
    "true",
  ].join("; ");
}

/** Reads the answer in one pass over its lines. `now` is this machine's time in ms. */
export function readSettings(output: string, accounts: readonly AppAccount[], now: number): SettingsSight {
  const parts = partsOf(output);
  const maker = makerOf(parts.get("maker")?.[0] ?? "");
  const read: Record<DeskPoint, () => Omit<SettingSight, "point">> = {
    ...ofPhone(parts, maker, now),
    ...ofApps(parts, accounts),
    ...byHand(),
  };
  const points = pointsOf(maker)
    .filter((point) => point !== "charge_limit" && (accounts.length > 0 || !OF_APPS.includes(point)))
    .map((point) => {
      const { verdict, asked, seen } = read[point]();
      return { point, verdict, asked, seen: shown(seen) };
    });
  return { maker, points };
}

type Parts = ReadonlyMap<string, readonly string[]>;
type Answer = Omit<SettingSight, "point">;

/** Lines under each "@name". A part that comes twice keeps its first lines: no answer can replace one before it. */
function partsOf(output: string): Parts {
  const parts = new Map<string, string[]>();
  let lines: string[] = [];
  for (const whole of output.slice(0, MAX_CHARS).split("\n")) {
    const line = whole.slice(0, MAX_LINE_CHARS).trim();
    if (line.startsWith("@")) {
      lines = [];
      const name = line.slice(1);
      if (!parts.has(name)) parts.set(name, lines);
    } else if (line !== "") lines.push(line);
  }
  return parts;
}

/** Returns text for a person's terminal: one line, no control or direction characters. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim().slice(0, MAX_SEEN_CHARS);
}

function judged(isRight: boolean | null, asked: string, seen: string): Answer {
  return { verdict: isRight === null ? "unseen" : isRight ? "right" : "wrong", asked, seen };
}

const NO_ANSWER = "no answer that is understood";

function ofPhone(parts: Parts, maker: Maker | null, now: number) {
  const line = (part: string) => parts.get(part)?.[0] ?? "";
  const globals = new Map(
    (parts.get("global") ?? []).flatMap((text) => {
      const [, key, value] = /^(\w+)=(.*)$/.exec(text) ?? [];
      return key === undefined ? [] : [[key, value!] as const];
    }),
  );
  /** Android lists the keys that were ever set. Every phone has set airplane mode: without it no list was seen. */
  const global = (key: string, unset: string | null): string | null =>
    globals.get(key) ?? (globals.has("airplane_mode_on") ? unset : null);
  const android = Number(/^(\d{1,3})(\.|$)/.exec(line("android"))?.[1] ?? NaN);

  return {
    stay_awake(): Answer {
      const value = global("stay_on_while_plugged_in", "0");
      const isRight = value === null || !/^\d{1,4}$/.test(value) ? null : (Number(value) & STAY_ON_USB) !== 0;
      return judged(isRight, "settings get global stay_on_while_plugged_in", value ?? NO_ANSWER);
    },
    screen_lock(): Answer {
      const asked = "cmd lock_settings get-disabled; dumpsys window policy";
      const guard = /^secure=(true|false)$/.exec(line("guard"))?.[1];
      // "Swipe" is not disabled and not secure: the agent opens it by itself.
      if (guard === "true") return judged(false, asked, "secure=true");
      if (line("lock") === "true") return judged(true, asked, "disabled: true");
      return guard === "false"
        ? judged(true, asked, "secure=false")
        : judged(null, asked, line("lock") === "false" ? "there is a lock, and not which" : NO_ANSWER);
    },
    usb_input(): Answer {
      const value = line("adbinput");
      const isMiui = line("miui") !== "";
      const isRight = value === "1" ? true : value === "0" || (value === "" && isMiui) ? false : null;
      return judged(isRight, "getprop persist.security.adbinput", value || (isMiui ? "off" : NO_ANSWER));
    },
    animations(): Answer {
      const scales = ["window_animation_scale", "transition_animation_scale", "animator_duration_scale"]
        .map((key) => global(key, "1"));
      const isKnown = scales.every((scale) => scale !== null && /^\d{1,2}(\.\d{1,6})?$/.test(scale));
      const isRight = isKnown ? scales.every((scale) => Number(scale) === 0) : null;
      return judged(
        isRight,
        "settings get global window_animation_scale",
        isKnown ? scales.join(", ") : NO_ANSWER,
      );
    },
    battery_saver(): Answer {
      const value = global("low_power", "0");
      const isRight = value === "0" ? true : value === "1" ? false : null;
      return judged(isRight, "settings get global low_power", value ?? NO_ANSWER);
    },
    network(): Answer {
      const value = /^Active default network: (none|null|\d{1,9})$/.exec(line("network"))?.[1];
      const isRight = value === undefined ? null : /^\d/.test(value);
      const wifi = globals.get("airplane_mode_on") === "1"
        ? "airplane mode is on"
        : `wifi_on=${globals.get("wifi_on")}`;
      return judged(
        isRight,
        "dumpsys connectivity",
        value === undefined ? NO_ANSWER : isRight ? value : wifi,
      );
    },
    wifi_sleep(): Answer {
      const asked = "settings get global wifi_sleep_policy";
      if (android >= NO_WIFI_SLEEP_SINCE) {
        return judged(true, asked, `Android ${android} has no such setting`);
      }
      const value = globals.get("wifi_sleep_policy");
      const isRight = value === "2" || value === "1" ? true : value === "0" ? false : null;
      return judged(Number.isNaN(android) ? null : isRight, asked, value ?? NO_ANSWER);
    },
    system_updates(): Answer {
      const value = global("ota_disable_automatic_update", "0");
      const asked = "settings get global ota_disable_automatic_update";
      if (value !== "0" && value !== "1") return judged(null, asked, NO_ANSWER);
      // Their own updaters have settings of their own.
      const hasOwn = maker === "samsung" || maker === "xiaomi";
      return hasOwn
        ? judged(null, asked, "the maker's own updater is not visible")
        : judged(value === "1", asked, value);
    },
    clock(): Answer {
      const asked = "settings get global auto_time; date +%s";
      const auto = global("auto_time", null);
      const seconds = /^\d{9,11}$/.test(line("now")) ? Number(line("now")) : null;
      const offS = seconds === null ? null : Math.abs(Math.round(now / 1_000) - seconds);
      if (auto === "0") return judged(false, asked, "not automatic");
      if (offS !== null && offS > CLOCK_OFF_S) {
        return judged(false, asked, `${offS} s apart from this computer's`);
      }
      return judged(
        auto === "1" && offS !== null ? true : null,
        asked,
        auto === "1" ? "automatic" : NO_ANSWER,
      );
    },
    language(): Answer {
      const locales = /^system_locales=(.*)$/.exec(line("system"))?.[1] ?? line("locale");
      const first = /^([a-z]{2,3})(?=[-,]|$)/.exec(locales)?.[1];
      return judged(
        first === undefined ? null : READ_LANGUAGES.includes(first),
        "settings get system system_locales",
        first === undefined ? NO_ANSWER : locales,
      );
    },
    memory(): Answer {
      const kb = /^MemAvailable:\s{1,20}(\d{1,12}) kB$/.exec(line("memory"))?.[1];
      return judged(
        kb === undefined ? null : Number(kb) >= LEAST_FREE_KB,
        "cat /proc/meminfo",
        kb === undefined ? NO_ANSWER : `${Math.floor(Number(kb) / 1024)} MB`,
      );
    },
    two_apps(): Answer {
      const users = readUsers((parts.get("users") ?? []).join("\n"));
      const resting = users.filter(({ isRunning }) => !isRunning).map(({ id }) => id);
      return judged(
        users.length === 0 ? null : resting.length === 0,
        "pm list users",
        users.length === 0
          ? NO_ANSWER
          : resting.length === 0
          ? `${users.length} in use`
          : `not in use: ${resting.join(", ")}`,
      );
    },
  };
}

function ofApps(parts: Parts, accounts: readonly AppAccount[]) {
  const android = Number(/^(\d{1,3})(\.|$)/.exec(parts.get("android")?.[0] ?? "")?.[1] ?? NaN);
  /** Joins the answers of all accounts: a wrong one counts first, then an unseen one. */
  const ofAll = (one: (account: AppAccount, key: string) => Answer): Answer => {
    const answers = accounts.map((account) => one(account, `${account.app}/${account.user}`));
    return answers.find(({ verdict }) => verdict === "wrong") ??
      answers.find(({ verdict }) => verdict === "unseen") ?? answers[0]!;
  };
  /** The mode of an app's operation; null = not seen. */
  const modeOf = (operation: string, key: string): string | null => {
    const lines = parts.get(`${operation} ${key}`) ?? [];
    const modes = lines.flatMap((line) => {
      const [, name, mode] = /^(?:Uid mode: )?(\w{1,60}): (\w{1,20})\b/.exec(line) ?? [];
      return name === operation ? [mode!] : [];
    });
    // A mode of the uid counts before that of the package.
    if (modes.length > 0) return modes.find((mode) => mode !== "allow" && mode !== "default") ?? modes[0]!;
    return lines[0] === "No operations." ? "default" : null;
  };
  const isAllowed = (mode: string | null) =>
    mode === "allow" || mode === "default" || mode === "foreground" ? true : mode === null ? null : false;

  return {
    app_battery(): Answer {
      const idle = parts.get("idle") ?? [];
      const asked = "dumpsys deviceidle whitelist; cmd appops get … RUN_ANY_IN_BACKGROUND";
      return ofAll(({ app }, key) => {
        const mode = modeOf("RUN_ANY_IN_BACKGROUND", key);
        const bucket = Number(/^\d{1,3}$/.exec(parts.get(`bucket ${key}`)?.[0] ?? "")?.[0] ?? NaN);
        if (isAllowed(mode) === false) return judged(false, asked, `${key}: ${mode} in the background`);
        if (bucket >= RESTRICTED_BUCKET) return judged(false, asked, `${key}: standby bucket ${bucket}`);
        // Every phone lists some apps of its own.
        if (idle.length === 0 || (mode === null && android !== 8)) {
          return judged(null, asked, `${key}: ${NO_ANSWER}`);
        }
        const isListed = idle.some((line) => line.split(",")[1] === app);
        return judged(isListed, asked, `${key}: ${isListed ? "listed" : "not listed"}`);
      });
    },
    unused_apps(): Answer {
      const asked = "cmd appops get … AUTO_REVOKE_PERMISSIONS_IF_UNUSED";
      if (android < AUTO_REVOKE_SINCE) return judged(true, asked, `Android ${android} has no such setting`);
      return ofAll((_account, key) => {
        const mode = modeOf("AUTO_REVOKE_PERMISSIONS_IF_UNUSED", key);
        return judged(mode === null ? null : mode === "ignore", asked, `${key}: ${mode ?? NO_ANSWER}`);
      });
    },
    data_saver(): Answer {
      const asked = "cmd netpolicy get restrict-background; cmd netpolicy list restrict-background-blacklist";
      const status = /^Restrict background status: (enabled|disabled)$/.exec(parts.get("saver")?.[0] ?? "")
        ?.[1];
      if (status !== "disabled") {
        return judged(status === undefined ? null : false, asked, status ?? NO_ANSWER);
      }
      const denied = /UIDs: (none|[\d ]{1,300})$/.exec(parts.get("denied")?.[0] ?? "")?.[1];
      return ofAll(({ app }, key) => {
        const lines = parts.get(`uid ${key}`) ?? [];
        const uid = lines.map((line) => /^package:(\S{1,200}) uid:(\d{1,9})/.exec(line)).find((found) =>
          found?.[1] === app
        )?.[2];
        if (denied === undefined || uid === undefined) return judged(null, asked, `${key}: ${NO_ANSWER}`);
        const isDenied = denied.split(" ").includes(uid);
        return judged(!isDenied, asked, `${key}: ${isDenied ? "no background data" : "background data"}`);
      });
    },
    notifications(): Answer {
      const asked = "cmd appops get … POST_NOTIFICATION; dumpsys package …";
      return ofAll(({ app, user }, key) => {
        const mode = modeOf("POST_NOTIFICATION", key);
        const granted = grantOf(parts.get(`may ${app}`) ?? [], user);
        if (granted === false) return judged(false, asked, `${key}: the permission is refused`);
        const isRight = isAllowed(mode);
        return judged(isRight, asked, `${key}: ${mode ?? NO_ANSWER}`);
      });
    },
  };
}

/** Reads "User 10: …" and "android.permission.POST_NOTIFICATIONS: granted=true" below it. Null = no such line. */
function grantOf(lines: readonly string[], user: number): boolean | null {
  let present: number | null = null;
  let granted: boolean | null = null;
  for (const line of lines) {
    const id = /^User (\d{1,9}):/.exec(line)?.[1];
    if (id !== undefined) present = Number(id);
    const value = /POST_NOTIFICATIONS: granted=(true|false)/.exec(line)?.[1];
    if (value !== undefined && present === user) granted = value === "true";
  }
  return granted;
}

/** What no command shows. */
function byHand() {
  const hand = (seen: string) => (): Answer => judged(null, "", seen);
  return {
    auto_blocker: hand("no command shows it; while commands come through it does not block them"),
    sleeping_apps: hand("no command shows the maker's own list"),
    autostart: hand("no command shows it"),
    app_updates: hand("no command shows the settings of Google Play"),
    app_backup: hand("no command shows the app's own settings"),
    charge_limit: hand("no command shows it"),
  };
}
