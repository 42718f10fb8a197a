import type { Settings } from "shared/settings.ts";
import { SETTINGS } from "./text.ts";
import { formatNumber } from "../../text/format.ts";

/** The settings in the form; numbers as typed. */
export type SettingsDraft = {
  [Key in keyof Settings]: Settings[Key] extends number ? string : Settings[Key];
};

export type NumberKey = {
  [Key in keyof Settings]: Settings[Key] extends number ? Key : never;
}[keyof Settings];
export type SwitchKey = Exclude<keyof Settings, NumberKey>;

/** The server's limits; the shared schema is too large to load for a few numbers. */
export const BOUNDS: Record<NumberKey, { min: number; max: number; step: number }> = {
  maxMessagesPerDay: { min: 1, max: 10_000, step: 1 },
  rateLimit: { min: 0, max: 3600, step: 0.1 },
  hourlyPercent: { min: 5, max: 100, step: 1 },
  unconfirmedPerDay: { min: 0, max: 10_000, step: 1 },
  sendingOpensAt: { min: 7, max: 11, step: 1 },
  sendingClosesAt: { min: 16, max: 22, step: 1 },
  fridayClosesAt: { min: 12, max: 15, step: 1 },
  frequencyCapDays: { min: 0, max: 90, step: 1 },
  breakerFailedPercent: { min: 1, max: 100, step: 1 },
  breakerUnknownPercent: { min: 1, max: 100, step: 1 },
  breakerOptOutPercent: { min: 1, max: 100, step: 1 },
  retentionDays: { min: 7, max: 3650, step: 1 },
  contactsKeptDays: { min: 30, max: 3650, step: 1 },
  maxContactsPerClient: { min: 1_000, max: 1_000_000_000, step: 1 },
  approvalFrom: { min: 0, max: 1_000_000_000, step: 1 },
};
/** The defaults, in effect until the first save. */
export const STANDARD: Settings = {
  maxMessagesPerDay: 250,
  rateLimit: 1,
  warmupEnabled: true,
  autoFailover: true,
  stickySender: true,
  enableNotifications: true,
  hourlyPercent: 25,
  unconfirmedPerDay: 40,
  sendingHoursEnforced: true,
  serviceHoursEnforced: false,
  sendingOpensAt: 9,
  sendingClosesAt: 20,
  fridayClosesAt: 13,
  frequencyCapDays: 7,
  breakerFailedPercent: 10,
  breakerUnknownPercent: 5,
  breakerOptOutPercent: 2,
  retentionDays: 90,
  contactsKeptDays: 730,
  maxContactsPerClient: 5_000_000,
  adminsNeedSecondFactor: false,
  approvalFrom: 0,
};
/**
 * The direction in which a number is dangerous. Ten times the recommended value in that direction asks before the save,
 * and stays marked; the other numbers have bounds below that.
 */
const DANGEROUS: Partial<Record<keyof Settings, "up" | "down">> = {
  maxMessagesPerDay: "up",
  rateLimit: "down",
  unconfirmedPerDay: "up",
  frequencyCapDays: "down",
  breakerFailedPercent: "up",
  breakerUnknownPercent: "up",
  breakerOptOutPercent: "up",
  retentionDays: "up",
  maxContactsPerClient: "up",
};
const TENFOLD = 10;

/** Returns the warning of a value far beyond the recommended one, or of the hours of marketing off; else undefined. */
export function warningOf(key: keyof Settings, value: Settings[keyof Settings]): string | undefined {
  if (!isDangerous(key, value)) return undefined;
  if (key === "sendingHoursEnforced") return SETTINGS.hoursOff;
  return DANGEROUS[key] === "up" ? SETTINGS.tenfold : SETTINGS.tenth;
}

/** Returns whether a value is far beyond the recommended one, or switches the hours of marketing off. */
export function isDangerous(key: keyof Settings, value: Settings[keyof Settings]): boolean {
  if (key === "sendingHoursEnforced") return value === false;
  const direction = DANGEROUS[key];
  if (direction === undefined || typeof value !== "number") return false;
  const usual = Number(STANDARD[key]);
  return direction === "up" ? value >= usual * TENFOLD : value <= usual / TENFOLD;
}

const NUMBERS = Object.keys(BOUNDS) as NumberKey[];
const SWITCHES: readonly SwitchKey[] = [
  "warmupEnabled",
  "autoFailover",
  "stickySender",
  "enableNotifications",
  "sendingHoursEnforced",
  "serviceHoursEnforced",
  "adminsNeedSecondFactor",
];

/** Returns settings in the form's shape: numbers as typed text. */
export function draftOf(settings: Settings): SettingsDraft {
  const typed = Object.fromEntries(NUMBERS.map((key) => [key, String(settings[key])]));
  return { ...settings, ...typed as Record<NumberKey, string> };
}

/** Returns the problem of a typed number, or undefined. */
export function numberProblem(key: NumberKey, typed: string): string | undefined {
  const { min, max, step } = BOUNDS[key];
  const value = Number(typed);
  const isWhole = /^\d+$/.test(typed.trim());
  const isTyped = step === 1 ? isWhole : isWhole || /^\d*\.\d$/.test(typed.trim());
  if (isTyped && value >= min && value <= max) return undefined;
  const wording = step === 1 ? SETTINGS.wholeNumber : SETTINGS.decimalNumber;
  return wording(formatNumber(min), formatNumber(max));
}

/** Returns the settings of a draft, or undefined while a number is invalid. */
export function settingsOf(draft: SettingsDraft): Settings | undefined {
  if (NUMBERS.some((key) => numberProblem(key, draft[key]) !== undefined)) return undefined;
  const numbers = Object.fromEntries(NUMBERS.map((key) => [key, Number(draft[key])]));
  return { ...draft, ...numbers as Record<NumberKey, number> };
}

/** Returns the settings that differ from the saved ones; another notation of a number (1.0) is not a difference. */
export function changedKeys(draft: SettingsDraft, saved: Settings): (keyof Settings)[] {
  return [
    ...NUMBERS.filter((key) => draft[key].trim() === "" || Number(draft[key]) !== saved[key]),
    ...SWITCHES.filter((key) => draft[key] !== saved[key]),
  ];
}
