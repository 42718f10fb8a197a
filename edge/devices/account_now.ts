/** One account for the screens: its row, its day, the deliveries it holds, and its last 24 hours. */
import type { Row } from "@libsql/client/web";
import type { AccountState, UserKind } from "shared/agent_protocol.ts";
import { ACCOUNT_DAY_CAP } from "../health/account_room.ts";
import { type AccountRisk, accountRisk, stateNote } from "../health/account_risk.ts";
import { bornAt } from "../health/warm_up.ts";
import { numberOrNull, textOrNull } from "./row_values.ts";
import type { AccountMark } from "../text/device_words.ts";
import { type Signal, tripSentence } from "../text/trip_words.ts";

export interface AccountNow {
  id: number;
  /** `<package>/<Android user>`; the caller names its device. */
  name: string;
  /** The administrators' name for it, or "". */
  label: string;
  isConfirmed: boolean;
  userKind: UserKind | null;
  captions: boolean | null;
  /** Its own number, "+…". */
  ownNumber: string | null;
  state: AccountState;
  stateSince: number | null;
  mark: AccountMark;
  /** Its problem as a Hebrew sentence, or null. */
  note: string | null;
  /** Why a breaker rests it (breaker_trips), or null. */
  trip: number | null;
  /** Its daily cap: the lower of the settings' cap and its warm-up. */
  capPerDay: number;
  /** The start of its warm-up, ms (health/warm_up.ts). */
  bornAt: number;
  appVersion: string | null;
  firstInstalledAt: number | null;
  lastSentAt: number | null;
  bannedAt: number | null;
  usedToday: number;
  /** Deliveries it holds. */
  held: number;
  /** Outcomes of the last 24 hours. */
  sent: number;
  failed: number;
  unknown: number;
  risk: AccountRisk;
}

/** An account is active if it has sent within this time. */
const ACTIVE_MS = 60 * 60_000;

/**
 * Returns SQL for the rows of accountNow(), from `accounts a` on `devices d` at `sites s` that match `which` (SQL);
 * needs roomArgs().
 */
export function selectAccounts(which: string): string {
  // Each phone leases only a few rows, and the partial index on (site) lists nothing else.
  return `WITH
  held AS MATERIALIZED (SELECT account, count(*) AS n FROM deliveries
    WHERE state = 'leased' AND site IN (SELECT id FROM sites) GROUP BY account),
  outcomes AS MATERIALIZED (SELECT account, sum(sent) AS sent, sum(failed) AS failed, sum(absent) AS absent,
      sum(unknown) AS unknown FROM account_hours WHERE hour > :hour - 24 GROUP BY account)
  SELECT a.*, ${ACCOUNT_DAY_CAP} AS cap, trip.signal, trip.count, trip.sample, coalesce(t.used, 0) AS used,
    coalesce(held.n, 0) AS held, coalesce(o.sent, 0) AS sent, coalesce(o.failed, 0) AS failed,
    coalesce(o.absent, 0) AS absent, coalesce(o.unknown, 0) AS unknown
  FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site
  LEFT JOIN breaker_trips trip ON trip.id = a.trip
  LEFT JOIN account_days t ON t.account = a.id AND t.day = :day
  LEFT JOIN held ON held.account = a.id LEFT JOIN outcomes o ON o.account = a.id
  WHERE ${which} ORDER BY a.key`;
}

/** Converts one row of selectAccounts(); `now` in ms. */
export function accountNow(row: Row, now: number): AccountNow {
  const state = row.state as AccountState;
  const lastSentAt = numberOrNull(row.last_sent_at);
  const held = Number(row.held);
  return {
    ...identityOf(row),
    ...figuresOf(row),
    state,
    stateSince: numberOrNull(row.state_since),
    mark: markOf(state, held > 0, lastSentAt !== null && lastSentAt > now - ACTIVE_MS),
    note: stateNote(state) ?? restNote(row),
    trip: numberOrNull(row.trip),
    lastSentAt,
    held,
    risk: riskOf(row, now),
  };
}

function identityOf(row: Row) {
  return {
    id: Number(row.id),
    name: String(row.key).split("/").slice(1).join("/"),
    label: String(row.label),
    isConfirmed: row.confirmed_at !== null,
    userKind: row.user_kind as UserKind | null,
    captions: row.captions === null ? null : row.captions === 1,
    ownNumber: textOrNull(row.own_number),
    appVersion: textOrNull(row.app_version),
    ...birthOf(row),
  };
}

function birthOf(row: Row) {
  const firstInstalledAt = numberOrNull(row.first_installed_at);
  const bannedAt = numberOrNull(row.banned_at);
  const firstSeenAt = Number(row.first_seen_at);
  return { firstInstalledAt, bannedAt, bornAt: bornAt({ firstInstalledAt, firstSeenAt, bannedAt }) };
}

function figuresOf(row: Row) {
  return {
    usedToday: Number(row.used),
    capPerDay: Number(row.cap),
    sent: Number(row.sent),
    failed: Number(row.failed),
    unknown: Number(row.unknown),
  };
}

/** The risk has a separate part for a ban, so the age here is only the app's. */
function riskOf(row: Row, now: number): AccountRisk {
  return accountRisk({
    ...figuresOf(row),
    state: row.state as AccountState,
    bannedAt: numberOrNull(row.banned_at),
    bornAt: numberOrNull(row.first_installed_at) ?? Number(row.first_seen_at),
    absent: Number(row.absent),
  }, now);
}

function markOf(state: AccountState, isInHand: boolean, sentLately: boolean): AccountMark {
  if (state === "banned" || state === "restricted") return "banned";
  if (isInHand) return "processing";
  return sentLately ? "active" : "idle";
}

function restNote({ signal, count, sample }: Row): string | null {
  if (signal === null) return null;
  const why = tripSentence({ signal: signal as Signal, count: Number(count), sample: Number(sample) });
  return `החשבון הופסק אוטומטית. ${why}`;
}
