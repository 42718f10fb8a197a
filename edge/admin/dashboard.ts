import { between } from "drizzle-orm";
import { type Dashboard, type DeviceCard, type Stat, TREND_POINTS } from "shared/admin_api.ts";
import type { DeviceStanding } from "shared/standing.ts";
import type { EdgeContext } from "../context.ts";
import { query, rowsAs, wholeNumber } from "../db/query.ts";
import { fleetHours } from "../db/schema.ts";
import { readBatch } from "../db/write_batch.ts";
import { type DeviceNow, worstAccount } from "../devices/device_now.ts";
import { readDevices } from "../devices/read_devices.ts";
import { MEDIUM_RISK } from "../health/account_risk.ts";
import { localMidnight, sameTimeYesterday } from "../time/local_day.ts";
import type { AccountMark } from "../text/device_words.ts";

/** An hour of the fleet; null = not measured. */
interface Hour {
  sent: number;
  devices: number | null;
  sessions: number | null;
  banRate: number | null;
}

const CARDS = 12;
/** Nothing is wrong with such a phone: it has sent what it may for now. */
const FULL: readonly DeviceStanding[] = ["day_full", "hour_full", "unconfirmed_full", "gave_back"];
const HOUR_MS = 60 * 60_000;
const BUCKET_MS = 2 * HOUR_MS;
/** The busiest account gives the phone's activity, in this order. */
const BUSIEST: readonly AccountMark[] = ["processing", "active", "idle", "banned"];

// Running campaigns are few, and an index lists them.
const WAITING = `SELECT count(*) FILTER (WHERE carrier_until IS NULL) AS "runningCampaigns",
    coalesce(sum(queued_count + leased_count), 0) AS "waitingMessages"
  FROM campaigns WHERE status IN ('processing', 'active', 'paused')`;

/** Returns the four figures with their history, the send rate of a day, and the connected phones. */
export async function readDashboard(ctx: EdgeContext): Promise<Dashboard> {
  const now = ctx.now();
  const today = localMidnight(now);
  const yesterday = localMidnight(today - 1);
  const isLately = between(fleetHours.hour, Math.floor(yesterday / HOUR_MS), Math.floor(now / HOUR_MS));
  const [{ lately, waiting }, devices] = await Promise.all([
    readBatch(ctx.db, {
      lately: query.select().from(fleetHours).where(isLately).orderBy(fleetHours.hour),
      waiting: WAITING,
    }),
    readDevices(ctx),
  ]);
  const hours = new Map(lately.rows.map((row) => [row.hour, toHour(row)]));
  const history = { hours, now, today, yesterday };
  const last = lately.rows.findLast((row) => row.measuredAt !== null);
  const sentToday = sentBetween(hours, today, now + HOUR_MS);
  const [reset] = rowsAs(waiting, { runningCampaigns: wholeNumber, waitingMessages: wholeNumber });
  return {
    stats: {
      totalDevices: measuredStat(history, "devices"),
      activeSessions: measuredStat(history, "sessions"),
      messagesToday: sentStat(history, sentToday),
      banRate: measuredStat(history, "banRate"),
    },
    measuredAt: last?.measuredAt ?? null,
    sendRate: buckets(history).map((at) => ({ at, sent: sentBetween(hours, at, at + BUCKET_MS) })),
    fleet: countFleet(devices),
    devices: devices.filter((device) => device.isConnected).map(toCard)
      .sort((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0)).slice(0, CARDS),
    reset: { ...reset!, sentToday },
  };
}

function toHour({ sent, devices, sessions, accounts, banned }: typeof fleetHours.$inferSelect): Hour {
  const banRate = banned === null ? null : accounts ? tenths((100 * banned) / accounts) : 0;
  return { sent, devices, sessions, banRate };
}

interface History {
  hours: Map<number, Hour>;
  now: number;
  /** The last two local midnights. */
  today: number;
  yesterday: number;
}

/** Returns a figure that a tick measures: its last value, and the value of the same hour yesterday. */
function measuredStat(history: History, field: "devices" | "sessions" | "banRate"): Stat {
  const { hours, now } = history;
  const present = Math.floor(now / HOUR_MS);
  const value = hours.get(present)?.[field] ?? hours.get(present - 1)?.[field] ?? 0;
  const before = hours.get(Math.floor(sameTimeYesterday(now) / HOUR_MS))?.[field] ?? null;
  const trend = buckets(history).map((at) => {
    const hour = at / HOUR_MS;
    return hours.get(hour + 1)?.[field] ?? hours.get(hour)?.[field] ?? null;
  });
  return { value, yesterday: before, change: before === null ? null : tenths(value - before), trend };
}

/**
 * Returns the messages of today and of yesterday until now. Only hours are stored, so yesterday's share of the
 * current hour is taken as even.
 */
function sentStat(history: History, value: number): Stat {
  const { hours, now, yesterday } = history;
  const until = sameTimeYesterday(now);
  const whole = Math.floor(until / HOUR_MS) * HOUR_MS;
  const isMeasured = [...hours.keys()].some((hour) => hour * HOUR_MS <= until);
  const share = (until - whole) / HOUR_MS;
  const sent = sentBetween(hours, yesterday, whole) +
    Math.round(share * (hours.get(whole / HOUR_MS)?.sent ?? 0));
  return {
    value,
    yesterday: isMeasured ? sent : null,
    change: isMeasured ? value - sent : null,
    trend: buckets(history).map((at) => sentBetween(hours, at, at + BUCKET_MS)),
  };
}

/**
 * Returns where the last twelve two-hour buckets begin, ending with the current one; they begin at even hours of the
 * day.
 */
function buckets({ now, today }: History): number[] {
  const last = today + Math.floor((now - today) / BUCKET_MS) * BUCKET_MS;
  return Array.from({ length: TREND_POINTS }, (_, index) => last - (TREND_POINTS - 1 - index) * BUCKET_MS);
}

function sentBetween(hours: Map<number, Hour>, from: number, until: number): number {
  let sent = 0;
  for (let at = from; at < until; at += HOUR_MS) sent += hours.get(Math.floor(at / HOUR_MS))?.sent ?? 0;
  return sent;
}

function countFleet(devices: readonly DeviceNow[]): Dashboard["fleet"] {
  const fleet = { sending: 0, ready: 0, full: 0, unable: 0, stopped: 0, offline: 0, atRisk: 0, banned: 0 };
  for (const device of devices) fleet[placeOf(device)]++;
  return fleet;
}

function placeOf(device: DeviceNow): keyof Dashboard["fleet"] {
  const { standing } = device;
  if (standing === "offline") return "offline";
  if (device.accounts.length > 0 && device.accounts.every(({ mark }) => mark === "banned")) return "banned";
  if (standing === "stopped" || standing === "site_stopped") return "stopped";
  // What it holds it may still send: that room is taken already.
  if (standing !== "ready" && device.held === 0) return FULL.includes(standing) ? "full" : "unable";
  if ((worstAccount(device)?.risk.score ?? 0) >= MEDIUM_RISK) return "atRisk";
  return device.held > 0 ? "sending" : "ready";
}

function toCard(device: DeviceNow): DeviceCard {
  const { accounts } = device;
  const lately = accounts.reduce((last, { lastSentAt }) => Math.max(last, lastSentAt ?? 0), 0);
  return {
    deviceId: device.id,
    name: device.name,
    site: device.site.name,
    status: BUSIEST.find((mark) => accounts.some((account) => account.mark === mark)) ?? "idle",
    whatsappVersion: accounts.find(({ appVersion }) => appVersion !== null)?.appVersion ?? null,
    lastActivity: lately === 0 ? null : lately,
    messagesCount: device.usedToday,
    capPerDay: device.capPerDay,
    leftToday: device.leftToday,
    standing: device.standing,
    held: device.held,
    stopped: device.isStopped,
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
