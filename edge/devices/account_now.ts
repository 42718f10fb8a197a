/** One account for the screens: its row, its day, the deliveries it holds, and its last 24 hours. */
import { getTableColumns } from "drizzle-orm";
import {
  type AccountState,
  type UnknownScreenNotice,
  unknownScreenSchema,
  type UserKind,
} from "shared/agent_protocol.ts";
import type { AccountStanding } from "shared/standing.ts";
import { orNull, type RowAs, wholeNumber, wordOf } from "../db/query.ts";
import { accounts, breakerTrips } from "../db/schema.ts";
import { capacityTables } from "../health/capacity.ts";
import { type AccountRisk, accountRisk, stateNote } from "../health/account_risk.ts";
import { bornAt } from "../health/warm_up.ts";
import type { AccountMark } from "../text/device_words.ts";
import { tripSentence } from "../text/trip_words.ts";

export interface AccountNow {
  id: number;
  /** `<package>/<Android user>`; the caller names its device. */
  name: string;
  /** The administrators' name for it, or "". */
  label: string;
  isConfirmed: boolean;
  userKind: UserKind | null;
  captions: boolean | null;
  /** Whether a phone of its site has shown the screens of this version; null = not known. */
  screensSeen: boolean | null;
  /** Its own number, "+…". */
  ownNumber: string | null;
  state: AccountState;
  /** The screen of its app that its site does not know, and since when; null = none. */
  unknownScreen: UnknownScreenNotice & { since: number } | null;
  stateSince: number | null;
  mark: AccountMark;
  /** Its problem as a Hebrew sentence, or null. */
  note: string | null;
  /** Why a breaker rests it (breaker_trips), or null. */
  trip: number | null;
  /** Its daily cap: the least of the settings' cap, its warm-up, and what the site's unconfirmed accounts share. */
  capPerDay: number;
  /** What it may still send today and in this hour (health/capacity.ts), and what keeps it from sending now. */
  leftToday: number;
  leftNow: number;
  standing: AccountStanding;
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
 * Returns SQL for rows of ACCOUNT_FIELDS, from `accounts a` on `devices d` at `sites s` that match `which` (SQL);
 * needs capacityArgs().
 */
export function selectAccounts(which: string): string {
  // Each phone leases only a few rows, and the partial index on (site) lists nothing else.
  return `WITH ${capacityTables(which)},
  held AS MATERIALIZED (SELECT account, count(*) AS n FROM deliveries
    WHERE state = 'leased' AND site IN (SELECT id FROM sites) GROUP BY account),
  outcomes AS MATERIALIZED (SELECT account, sum(sent) AS sent, sum(failed) AS failed, sum(absent) AS absent,
      sum(unknown) AS unknown FROM account_hours WHERE hour > :hour - 24 GROUP BY account)
  SELECT a.*, r.cap AS "capPerDay", r.day_left AS "leftToday", r.now_left AS "leftNow", r.standing,
    trip.signal, trip.count, trip.sample, r.used AS "usedToday",
    coalesce(held.n, 0) AS held, coalesce(o.sent, 0) AS sent, coalesce(o.failed, 0) AS failed,
    coalesce(o.absent, 0) AS absent, coalesce(o.unknown, 0) AS unknown
  FROM account_rooms r CROSS JOIN accounts a ON a.id = r.id
  LEFT JOIN breaker_trips trip ON trip.id = a.trip
  LEFT JOIN held ON held.account = a.id LEFT JOIN outcomes o ON o.account = a.id
  ORDER BY a.key`;
}

export const ACCOUNT_FIELDS = {
  ...getTableColumns(accounts),
  signal: orNull(breakerTrips.signal),
  count: orNull(breakerTrips.count),
  sample: orNull(breakerTrips.sample),
  capPerDay: wholeNumber,
  leftToday: wholeNumber,
  leftNow: wholeNumber,
  standing: wordOf<AccountStanding>(),
  usedToday: wholeNumber,
  held: wholeNumber,
  sent: wholeNumber,
  failed: wholeNumber,
  absent: wholeNumber,
  unknown: wholeNumber,
};

type AccountRow = RowAs<typeof ACCOUNT_FIELDS>;

/** Converts one row of selectAccounts(); `now` in ms. */
export function accountNow(row: AccountRow, now: number): AccountNow {
  const { state, lastSentAt, firstInstalledAt, firstSeenAt, bannedAt } = row;
  const { usedToday, capPerDay, leftToday, leftNow, standing, held, sent, failed, unknown, absent } = row;
  const unknownScreen = readUnknownScreen(row);
  const isScreenUnknown = unknownScreen !== null;
  const figures = { usedToday, capPerDay, sent, failed, unknown };
  return {
    id: row.id,
    name: row.key.split("/").slice(1).join("/"),
    label: row.label,
    isConfirmed: row.confirmedAt !== null,
    userKind: row.userKind,
    captions: row.captions,
    screensSeen: row.screensSeen,
    ownNumber: row.ownNumber,
    appVersion: row.appVersion,
    firstInstalledAt,
    bannedAt,
    bornAt: bornAt({ firstInstalledAt, firstSeenAt, bannedAt }),
    ...figures,
    leftToday,
    leftNow,
    standing,
    state,
    unknownScreen,
    stateSince: row.stateSince,
    mark: markOf(state, held > 0, lastSentAt !== null && lastSentAt > now - ACTIVE_MS),
    note: stateNote({ state, isScreenUnknown }) ?? restNote(row),
    trip: row.trip,
    lastSentAt,
    held,
    // The risk has a separate part for a ban, so the age here is only the app's.
    risk: accountRisk(
      { ...figures, state, isScreenUnknown, bannedAt, absent, bornAt: firstInstalledAt ?? firstSeenAt },
      now,
    ),
  };
}

function readUnknownScreen({ unknownScreen, unknownSince }: AccountRow): AccountNow["unknownScreen"] {
  if (unknownScreen === null) return null;
  return { ...unknownScreenSchema.parse(JSON.parse(unknownScreen)), since: unknownSince ?? 0 };
}

function markOf(state: AccountState, isInHand: boolean, sentLately: boolean): AccountMark {
  if (state === "banned" || state === "restricted") return "banned";
  if (isInHand) return "processing";
  return sentLately ? "active" : "idle";
}

function restNote({ signal, count, sample }: AccountRow): string | null {
  if (signal === null) return null;
  return `החשבון הופסק אוטומטית. ${tripSentence({ signal, count: count!, sample: sample! })}`;
}
