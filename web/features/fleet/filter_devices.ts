import { appName, DEVICE_STATES, DEVICES, type DeviceState } from "../../text/admin_devices.ts";
import { MEDIUM_RISK } from "../../ui/risk_score.tsx";
import { lastActivityOf, riskOf } from "./device_facts.ts";
import type { AdbDevice } from "./get_adb_status.ts";

export const DEVICE_SEGMENTS = ["all", "online", "offline", "risk"] as const;
export type DeviceSegment = typeof DEVICE_SEGMENTS[number];
/** Upper bounds of the battery filter, in percent. */
export const BATTERY_BOUNDS = [20, 50] as const;
/** "site" groups the devices by site; every other order is one list. */
export const DEVICE_SORTS = [
  "site",
  "name",
  "state",
  "risk",
  "battery",
  "today",
  "proof",
  "activity",
] as const;
export type DeviceSort = typeof DEVICE_SORTS[number];

/** What keeps a phone's accounts from sending, beside the states of the phone itself. */
export const ACCOUNT_FILTERS = [
  "banned",
  "restricted",
  "logged_out",
  "rested",
  "app_missing",
  "day_full",
  "hour_full",
] as const satisfies readonly AdbDevice["standing"][];
const STATE_FILTERS = [...DEVICE_STATES, "stopped", ...ACCOUNT_FILTERS] as const;

export interface DeviceFilter {
  segment: DeviceSegment;
  /** A site's id. */
  site: number | null;
  state: typeof STATE_FILTERS[number] | null;
  /** Only batteries of at most this many percent. */
  battery: number | null;
  sort: DeviceSort;
  /** The other direction than the order's usual one. */
  isReversed: boolean;
  search: string;
}

/** Reads a filter from an address; a value that no filter has counts as absent. */
export function readFilter(search: URLSearchParams, words: string): DeviceFilter {
  const among = <T extends string>(values: readonly T[], name: string) =>
    values.find((value) => value === search.get(name));
  const site = search.get("site");
  const battery = Number(search.get("battery"));
  return {
    segment: among(DEVICE_SEGMENTS, "show") ?? "all",
    site: site !== null && /^\d{1,12}$/.test(site) ? Number(site) : null,
    state: among(STATE_FILTERS, "state") ?? null,
    battery: BATTERY_BOUNDS.find((bound) => bound === battery) ?? null,
    sort: among(DEVICE_SORTS, "sort") ?? "site",
    isReversed: search.get("dir") === "reversed",
    search: words,
  };
}

/** Returns a filter as the query of an address, without the searched words: they may be a number. */
export function writeFilter({ segment, site, state, battery, sort, isReversed }: DeviceFilter): string {
  const query = new URLSearchParams();
  if (segment !== "all") query.set("show", segment);
  if (site !== null) query.set("site", String(site));
  if (state !== null) query.set("state", state);
  if (battery !== null) query.set("battery", String(battery));
  if (sort !== "site") query.set("sort", sort);
  if (isReversed) query.set("dir", "reversed");
  return query.toString();
}

/** Returns the devices that a filter shows, in its order. Devices without the sorted value come last. */
export function filterDevices(devices: readonly AdbDevice[], filter: DeviceFilter): AdbDevice[] {
  const words = filter.search.trim().toLowerCase();
  const found = devices.filter((device) =>
    isIn(device, filter.segment) &&
    (filter.site === null || device.siteId === filter.site) &&
    (filter.state === null || isInState(device, filter.state)) &&
    (filter.battery === null ||
      (device.batteryPercent !== null && device.batteryPercent <= filter.battery)) &&
    (words === "" || searchTextOf(device).includes(words))
  );
  if (filter.sort === "site") return filter.isReversed ? found.toReversed() : found;
  const sign = filter.isReversed ? -1 : 1;
  const value = SORT_VALUES[filter.sort];
  return found.map((device) => ({ device, key: value(device) })).sort((one, other) => {
    if (one.key === null || other.key === null) return Number(one.key === null) - Number(other.key === null);
    return sign * compare(one.key, other.key);
  }).map(({ device }) => device);
}

type SortValue = (device: AdbDevice) => string | number | null;

/** What a person looks for first comes first: risk, an empty battery, a long silence. */
const SORT_VALUES: Record<Exclude<DeviceSort, "site">, SortValue> = {
  name: ({ name }) => name,
  // The state that leads its card, then the phone's own.
  state: ({ standing, state, stopped }) =>
    stopped
      ? Number.MAX_SAFE_INTEGER
      : STANDING_ORDER.indexOf(standing) * DEVICE_STATES.length + STATE_ORDER.indexOf(state),
  risk: (device) => -riskOf(device),
  battery: ({ batteryPercent }) => batteryPercent,
  today: ({ messagesToday }) => -messagesToday,
  proof: ({ proofAt }) => proofAt,
  activity: (device) => {
    const at = lastActivityOf(device);
    return at === null ? null : -at;
  },
};
/** Worst first, like the words. */
const STANDING_ORDER = Object.keys(DEVICES.standings);
const STATE_ORDER: readonly DeviceState[] = [
  ...DEVICE_STATES.filter((state) => state !== "online"),
  "online",
];

function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "he", { numeric: true });
}

function isIn(device: AdbDevice, segment: DeviceSegment): boolean {
  if (segment === "online") return device.adbConnected;
  if (segment === "offline") return !device.adbConnected;
  return segment === "all" || riskOf(device) >= MEDIUM_RISK;
}

function isInState(device: AdbDevice, state: NonNullable<DeviceFilter["state"]>): boolean {
  if (state === "stopped") return device.siteStopped ?? device.stopped;
  const isOfAccounts = ACCOUNT_FILTERS.some((one) => one === state);
  if (!isOfAccounts) return device.state === state;
  return device.standing === state || device.accounts.some(({ standing }) => standing === state);
}

function searchTextOf({ name, address, site, accounts }: AdbDevice): string {
  const labels = accounts.map(({ account, label }) => `${label} ${account} ${appName(account)}`);
  return [name, address, site, ...labels].join("\n").toLowerCase();
}
