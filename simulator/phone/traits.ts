import type { DeskSettings } from "./desk_settings.ts";
import { fixedFraction } from "./random.ts";

/** The place of a messaging account: an app's package name in an Android user. */
export interface AccountTraits {
  app: string;
  user: number;
  /** ms since 1970. */
  firstInstalledAt: number;
}

/** One user of `pm list users`. The flags are those of AOSP's UserInfo.java. */
export interface UserTraits {
  name: string;
  flags: number;
  isRunning: boolean;
}

/** Languages of a phone's screens. The agent ships no words of the last one. */
export type ScreenLanguage = "he" | "en" | "ar" | "ru" | "fr";

/** The properties of a phone that do not change while it runs. */
export interface PhoneTraits {
  serial: string;
  model: string;
  manufacturer: string;
  androidVersion: string;
  appVersion: string;
  language: ScreenLanguage;
  accounts: AccountTraits[];
  /** By id. Users with accounts that are not listed here are running work profiles. */
  users: Record<number, UserTraits>;
  /** Asks "share with?" before a picture opens. */
  confirmsShare: boolean;
  /** Has an app that shows web pages from a file. */
  showsPages: boolean;
  /** Ignores the caption that comes with a share intent. */
  dropsCaptions: boolean;
  /** The lock screen needs a PIN: only a person can open it. */
  hasPin: boolean;
  /** Names in the phone's own contacts, by digits. The title of such a chat is the name. */
  contacts: Record<string, string>;
  /** What a person set at the desk. Null = a phone of its maker that was prepared. */
  desk: DeskSettings | null;
}

const MODELS = [
  { model: "SM-A145F", manufacturer: "samsung", androidVersion: "14" },
  { model: "SM-A155F", manufacturer: "samsung", androidVersion: "15" },
  { model: "23053RN02A", manufacturer: "Xiaomi", androidVersion: "13" },
  { model: "moto g54", manufacturer: "motorola", androidVersion: "14" },
];
const DAY_MS = 86_400_000;
const BUSINESS_EVERY = 4;

/**
 * Returns the phone at an index, the same for the same seed. Most have one old account. Every fourth also has a
 * business app, one in ten has a young account, one in four is in English.
 */
export function traitsOf(index: number, seed: string, now: number): PhoneTraits {
  const serial = `SIM${String(index + 1).padStart(4, "0")}`;
  const fraction = (what: string) => fixedFraction(`${seed}/${serial}/${what}`);
  const account = (app: string): AccountTraits => {
    const ageDays = fraction(`${app} young`) < 0.1 ? 2 + fraction(app) * 12 : 120 + fraction(app) * 900;
    return { app, user: 0, firstInstalledAt: now - Math.floor(ageDays * DAY_MS) };
  };
  const apps = (index + 1) % BUSINESS_EVERY === 0 ? ["com.whatsapp", "com.whatsapp.w4b"] : ["com.whatsapp"];
  return {
    serial,
    ...MODELS[Math.floor(fraction("model") * MODELS.length)]!,
    appVersion: "2.25.37.76",
    language: fraction("language") < 0.25 ? "en" : "he",
    accounts: apps.map(account),
    users: {},
    confirmsShare: fraction("share") < 0.25,
    showsPages: true,
    dropsCaptions: false,
    hasPin: false,
    contacts: {},
    desk: null,
  };
}
