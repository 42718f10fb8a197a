/** One phone for the screens: its site's last report, while that is still valid. */
import type { Row } from "@libsql/client/web";
import type { DeviceState } from "shared/agent_protocol.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { z } from "zod";
import type { AccountNow } from "./account_now.ts";
import { DEVICE_NAME } from "./device_name.ts";
import { numberOrNull, textOrNull } from "./row_values.ts";

export interface DeviceNow {
  id: number;
  key: string;
  /** Its model, or its serial number. */
  name: string;
  address: string;
  model: string;
  androidVersion: string;
  state: DeviceState;
  stateSince: number | null;
  stateDetail: string | null;
  /** All its adb addresses, the one in use first. */
  addresses: string[];
  /** True when a command returned from it within 30 seconds. */
  isConnected: boolean;
  proofAt: number | null;
  batteryPercent: number | null;
  /** True when a person stopped it. */
  isStopped: boolean;
  /** The site's last report on whether it is stopped; null = its agent does not report it. */
  isSiteStopped: boolean | null;
  firstSeenAt: number;
  site: { id: number; name: string; isConnected: boolean; lastSeenAt: number | null };
  usedToday: number;
  capPerDay: number;
  held: number;
  accounts: AccountNow[];
}

/** In any other state adb sees the phone, even if it cannot send. */
export const NOT_CONNECTED: readonly DeviceState[] = ["offline", "unauthorized", "booting", "not_answering"];

const addressesSchema = z.array(z.string());

/** Returns SQL for the rows of deviceNow(), from `devices d` at `sites s` that match `which` (SQL), grouped by site. */
export function selectDevices(which: string): string {
  return `SELECT d.*, ${DEVICE_NAME} AS name, s.name AS site_name, s.last_seen_at,
    coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'maxMessagesPerDay'),
      ${DEFAULT_SETTINGS.maxMessagesPerDay}) AS cap
  FROM devices d JOIN sites s ON s.id = d.site WHERE ${which} ORDER BY s.name, d.address, d.id`;
}

/** Converts one row of selectDevices(), without accounts and values derived from them; `now` in ms. */
export function deviceNow(row: Row, now: number): DeviceNow {
  const proofAt = notAhead(numberOrNull(row.proof_at), now);
  const site = siteOf(row, now);
  const reported = row.state as DeviceState;
  const state = deviceStateOf(reported, {
    isProven: isFresh(proofAt, now),
    isSiteConnected: site.isConnected,
  });
  return {
    id: Number(row.id),
    key: String(row.key),
    name: String(row.name),
    address: String(row.address),
    model: String(row.model),
    androidVersion: String(row.android_version),
    state,
    stateSince: numberOrNull(row.state_since),
    stateDetail: textOrNull(row.state_detail),
    addresses: addressesSchema.parse(JSON.parse(String(row.addresses))),
    isConnected: !NOT_CONNECTED.includes(state) && isFresh(proofAt, now),
    proofAt,
    batteryPercent: numberOrNull(row.battery_percent),
    isStopped: row.stopped === 1,
    isSiteStopped: row.site_stopped === null ? null : row.site_stopped === 1,
    firstSeenAt: Number(row.first_seen_at),
    site,
    usedToday: 0,
    capPerDay: Number(row.cap),
    held: 0,
    accounts: [],
  };
}

/** Returns the account that decides a phone's risk: its worst one, or null when it has none. */
export function worstAccount({ accounts }: DeviceNow): AccountNow | null {
  return accounts.reduce<AccountNow | null>(
    (worst, one) => worst === null || one.risk.score > worst.risk.score ? one : worst,
    null,
  );
}

function siteOf(row: Row, now: number): DeviceNow["site"] {
  const lastSeenAt = notAhead(numberOrNull(row.last_seen_at), now);
  return {
    id: Number(row.site),
    name: String(row.site_name),
    isConnected: isFresh(lastSeenAt, now),
    lastSeenAt,
  };
}

/** The last report counts only while the phone proves it: its site may be slow to notice, or silent. */
export function deviceStateOf(
  reported: DeviceState,
  known: { isProven: boolean; isSiteConnected: boolean },
): DeviceState {
  if (reported !== "online" || known.isProven) return reported;
  return known.isSiteConnected ? "not_answering" : "offline";
}

/** Limits a time to now: a later one was written before the clock was set back. */
function notAhead(at: number | null, now: number): number | null {
  return at === null ? null : Math.min(at, now);
}

function isFresh(at: number | null, now: number): boolean {
  return at !== null && at > now - DEAD_SOCKET_MS;
}
