/** One phone for the screens: its site's last report, while that is still valid. */
import { getTableColumns } from "drizzle-orm";
import type { DeviceState } from "shared/agent_protocol.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { ACCOUNT_STANDINGS, type AccountStanding, type DeviceStanding } from "shared/standing.ts";
import { z } from "zod";
import type { AccountNow } from "./account_now.ts";
import { condition, plainText, type RowAs, wholeNumber } from "../db/query.ts";
import { devices, sites } from "../db/schema.ts";
import { OWES_REHEARSAL } from "../health/rehearsals.ts";
import { capacityTables } from "../health/capacity.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { DEVICE_NAME } from "./device_name.ts";

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
  /** True when it gets no marketing until it was rehearsed, or a send from it is proven. */
  owesRehearsal: boolean;
  firstSeenAt: number;
  site: { id: number; name: string; isConnected: boolean; lastSeenAt: number | null };
  usedToday: number;
  /** What its accounts may send in a day together, at most the settings' cap. */
  capPerDay: number;
  /** What they may still send together today and in this hour (health/capacity.ts). */
  leftToday: number;
  leftNow: number;
  /** The state that leads on every screen. */
  standing: DeviceStanding;
  held: number;
  accounts: AccountNow[];
}

/** In any other state adb sees the phone, even if it cannot send. */
export const NOT_CONNECTED: readonly DeviceState[] = ["offline", "unauthorized", "booting", "not_answering"];

const addressesSchema = z.array(z.string());

/** Returns SQL for rows of DEVICE_FIELDS, from `devices d` at `sites s` that match `which` (SQL), grouped by site. */
export function selectDevices(which: string): string {
  return `WITH ${capacityTables(which)}
  SELECT d.*, ${DEVICE_NAME} AS name, s.name AS "siteName", s.last_seen_at, s.stopped AS "siteHalted",
    ${OWES_REHEARSAL} AS "owesRehearsal",
    coalesce(r.used, 0) AS "usedToday", coalesce(r.cap, ${settingSql("maxMessagesPerDay")}) AS "capPerDay",
    coalesce(r.day_left, 0) AS "leftToday", coalesce(r.now_left, 0) AS "leftNow"
  FROM devices d JOIN sites s ON s.id = d.site LEFT JOIN device_rooms r ON r.device = d.id
  WHERE ${which} ORDER BY s.name, d.address, d.id`;
}

export const DEVICE_FIELDS = {
  ...getTableColumns(devices),
  name: plainText,
  siteName: sites.name,
  lastSeenAt: sites.lastSeenAt,
  siteHalted: sites.stopped,
  owesRehearsal: condition,
  usedToday: wholeNumber,
  capPerDay: wholeNumber,
  leftToday: wholeNumber,
  leftNow: wholeNumber,
};

type DeviceRow = RowAs<typeof DEVICE_FIELDS>;

/** Converts one row of selectDevices(), without accounts and values derived from them; `now` in ms. */
export function deviceNow(row: DeviceRow, now: number): DeviceNow {
  const proofAt = notAhead(row.proofAt, now);
  const site = siteOf(row, now);
  const known = { isProven: isFresh(proofAt, now), isSiteConnected: site.isConnected };
  const state = deviceStateOf(row.state, known);
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    address: row.address,
    model: row.model,
    androidVersion: row.androidVersion,
    state,
    stateSince: row.stateSince,
    stateDetail: row.stateDetail,
    addresses: addressesSchema.parse(JSON.parse(row.addresses)),
    isConnected: !NOT_CONNECTED.includes(state) && isFresh(proofAt, now),
    proofAt,
    batteryPercent: row.batteryPercent,
    isStopped: row.stopped,
    isSiteStopped: row.siteStopped,
    owesRehearsal: row.owesRehearsal,
    firstSeenAt: row.firstSeenAt,
    site,
    usedToday: row.usedToday,
    capPerDay: row.capPerDay,
    leftToday: row.leftToday,
    leftNow: row.leftNow,
    standing: "no_account",
    held: 0,
    accounts: [],
  };
}

/** A loss or a rest leads even while another account of the phone sends. */
const LEADS_ALONE: readonly AccountStanding[] = [
  "banned",
  "restricted",
  "logged_out",
  "unknown_screen",
  "rested",
  "unconfirmed_rested",
];

/** Returns the state that leads a phone with all its accounts, worst first. */
export function deviceStanding(device: DeviceNow, isSiteHalted: boolean): DeviceStanding {
  const standings = device.accounts.map(({ standing }) => standing);
  const lost = LEADS_ALONE.find((word) => standings.includes(word));
  if (!device.isConnected) return "offline";
  if (lost === "banned" || lost === "restricted") return lost;
  if (device.isStopped || device.isSiteStopped) return "stopped";
  if (device.state !== "online") return "unfit";
  if (isSiteHalted) return "site_stopped";
  if (lost !== undefined) return lost;
  // The mildest: the phone goes on as soon as this one does.
  return ACCOUNT_STANDINGS.findLast((word) => standings.includes(word)) ?? "no_account";
}

/** Returns the account that decides a phone's risk: its worst one, or null when it has none. */
export function worstAccount({ accounts }: DeviceNow): AccountNow | null {
  return accounts.reduce<AccountNow | null>(
    (worst, one) => worst === null || one.risk.score > worst.risk.score ? one : worst,
    null,
  );
}

function siteOf(row: DeviceRow, now: number): DeviceNow["site"] {
  const lastSeenAt = notAhead(row.lastSeenAt, now);
  return { id: row.site, name: row.siteName, isConnected: isFresh(lastSeenAt, now), lastSeenAt };
}

/** Returns a reported `online` only with recent proof of the phone: its site may be slow to notice, or silent. */
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
