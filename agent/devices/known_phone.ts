/** The facts about a phone of this site, and its lines in the inventory for the edge. */
import {
  type AccountState,
  type AgentFrameOf,
  type DeviceState,
  MAX_SITE_ACCOUNTS,
  MAX_SITE_DEVICES,
} from "shared/agent_protocol.ts";
import type { AskAgain } from "../time/ask_again.ts";
import { closedState, isAnyUsable, type Path, usablePaths } from "./device_paths.ts";
import { deviceOf } from "../journal/journal_tables.ts";
import type { FoundAccount, KnownApps } from "../phone/discover_accounts.ts";
import type { Health } from "../phone/health.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import type { ScreenWords } from "../screens/screen_words.ts";

export type Inventory = Omit<AgentFrameOf<"inventory">, "type">;

export interface KnownPhone {
  device: string;
  /** The present paths of adb to it, by address. */
  paths: Map<string, Path>;
  /** It has not given its identity: its address names it until then. */
  isUnknown: boolean;
  bootId: string;
  model: string;
  androidVersion: string;
  health: Health;
  /** Monotonic time of the health. */
  healthAt: number;
  proofAt: number | null;
  /** Monotonic time of the proof. */
  provenAt: number;
  again: AskAgain;
  isAsking: boolean;
  /** Monotonic time at which one of its paths last failed. */
  deafAt: number;
  /** Why it did not answer the last time, or null. */
  silence: string | null;
  /** Address of another phone with the same serial number, or null. */
  twinAt: string | null;
  /** Why the replies to its accounts cannot be read, or null. */
  repliesProblem: string | null;
  accounts: FoundAccount[];
  /** Accounts that it once held in this process and no longer holds. */
  goneAccounts: Set<string>;
  apps: KnownApps;
  appsAskedAt: number;
  accountsAskedAt: number;
  wasReachable: boolean;
}

/** Facts that deliveries showed, by account. */
export interface LearnedOfAccounts {
  lost: Map<string, AccountState>;
  /**
   * A screen of its app that nobody knows by these words: it sends nothing until somebody does, or a person starts its
   * phone.
   */
  unknown: Map<string, { screen: UnknownScreen; words: ScreenWords }>;
  /** Whether its app, in this version, opened a picture with its caption. */
  captions: Map<string, { isThere: boolean; appVersion: string | null }>;
}

/** A phone is online while its last proof is younger than this. */
const PROOF_MS = 30_000;
const MAIN_APP = "com.whatsapp";

/** Returns a phone's state at a monotonic time. */
export function stateOfPhone(phone: KnownPhone, now: number): DeviceState {
  if (!isAnyUsable(phone.paths.values())) return closedState(phone.paths.values());
  if (now - phone.provenAt >= PROOF_MS) return "not_answering";
  return phone.health.state;
}

/** Returns the state of an account that was found on a phone in `state`. */
export function stateOfAccount(
  { account, isInFront }: FoundAccount,
  state: DeviceState,
  { lost, unknown }: LearnedOfAccounts,
): AccountState {
  // An edge of any release gives no work to an account out of reach.
  if (unknown.has(account)) return lost.get(account) ?? "unreachable";
  return lost.get(account) ?? (isInFront && state === "online" ? "ok" : "unreachable");
}

/** Returns a detail to show beside the state, or null. */
export function detailOf(phone: KnownPhone, state: DeviceState): string | null {
  if (state === "unauthorized" || state === "offline") {
    const adbStates = new Set([...phone.paths.values()].map(({ adbState }) => adbState));
    return adbStates.size === 0 ? null : `adb lists it as ${[...adbStates].join(", ")}`;
  }
  if (state === "not_answering") return phone.silence ?? "no command has come back yet";
  if (state !== "online") return phone.health.detail;
  if (phone.twinAt) return `another phone, at ${phone.twinAt}, has the same serial number and is not used`;
  if (phone.accounts.length === 0) return "no messaging app is installed";
  return phone.repliesProblem;
}

/** Returns the phone's line of the inventory, within the protocol's lengths. */
export function describeDevice(phone: KnownPhone, state: DeviceState): Inventory["devices"][number] {
  const usable = usablePaths(phone.paths.values()).map(({ address }) => address);
  const all = new Set([...usable, ...phone.paths.keys()]);
  const addresses = [...all].slice(0, 10).map((address) => address.slice(0, 100));
  return {
    device: phone.device,
    address: addresses[0] ?? "",
    model: phone.model.slice(0, 200),
    androidVersion: phone.androidVersion.slice(0, 20),
    state,
    batteryPercent: phone.health.batteryPercent,
    proofAt: phone.proofAt,
    addresses,
    stateDetail: detailOf(phone, state)?.slice(0, 200) ?? null,
  };
}

/** Returns the lines of its accounts: those found, those it no longer holds, and a place for one still to come. */
export function describeAccounts(
  phone: KnownPhone,
  state: DeviceState,
  learned: LearnedOfAccounts,
): Inventory["accounts"] {
  const unknown = {
    appVersion: null,
    firstInstalledAt: null,
    userKind: null,
    captions: null,
    ownNumber: null,
    unknownScreen: null,
  };
  const missing = [...phone.goneAccounts];
  const isAsked = phone.accountsAskedAt > -Infinity;
  // A phone without a messaging app gets a place for one.
  if (isAsked && phone.accounts.length === 0 && missing.length === 0) {
    missing.push(`${phone.device}/${MAIN_APP}/0`);
  }
  return [
    ...phone.accounts.map((found) => {
      const { account, appVersion, firstInstalledAt, userKind } = found;
      const seen = learned.captions.get(account);
      const captions = seen?.appVersion === appVersion ? seen.isThere : null;
      const accountState = stateOfAccount(found, state, learned);
      const unknownScreen = noticeOf(learned.unknown.get(account)?.screen);
      return {
        ...unknown,
        account,
        state: accountState,
        appVersion,
        firstInstalledAt,
        userKind,
        captions,
        unknownScreen,
      };
    }),
    ...missing.map((account) => ({ ...unknown, account, state: "app_missing" as const })),
  ];
}

/** Returns what the edge may know of a screen: its shape, and nothing that stands on it. */
function noticeOf(screen: UnknownScreen | undefined): Inventory["accounts"][number]["unknownScreen"] {
  if (screen === undefined) return null;
  const { fingerprint, kind, window, ids } = screen;
  return { fingerprint, kind, window, ids };
}

/**
 * Cuts an inventory to the protocol's limits. Sorts by name, so that the edge always gets the same phones. Offline
 * phones come last: the edge takes a phone that is not listed for offline.
 */
export function withinLimits({ devices, accounts }: Inventory): Inventory {
  const isOffline = (device: Inventory["devices"][number]) => Number(device.state === "offline");
  const first = devices.toSorted((a, b) => isOffline(a) - isOffline(b) || (a.device < b.device ? -1 : 1))
    .slice(0, MAX_SITE_DEVICES);
  const seen = new Set(first.map(({ device }) => device));
  return {
    devices: first,
    accounts: accounts.filter(({ account }) => seen.has(deviceOf(account)))
      .sort((a, b) => a.account < b.account ? -1 : 1).slice(0, MAX_SITE_ACCOUNTS),
  };
}
