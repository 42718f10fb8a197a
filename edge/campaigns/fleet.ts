/** The state of the fleet that campaign notices need, read in one round trip. */
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import type { StallCause } from "shared/standing.ts";
import type { EdgeContext } from "../context.ts";
import { condition, jsonOf, orNull, type RowAs, rowsAs, wholeNumber, wordOf } from "../db/query.ts";
import { campaigns, sites } from "../db/schema.ts";
import { readBatch } from "../db/write_batch.ts";
import {
  AGENT_TOO_OLD,
  capacityArgs,
  capacityTables,
  DEVICE_WORKS,
  SITE_WORKS,
  siteRooms,
} from "../health/capacity.ts";
import { opensAt, type SendingHours } from "../time/sending_hours.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { IS_BACKUP_COPY } from "../db/copy_mark.ts";
import { ERASURES_OWED } from "../queue/erasures_owed.ts";
import { LEASED_BY_NEWER } from "../db/release.ts";
import { IS_OLDER_DATABASE } from "../queue/older_database.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { isWaiting } from "../queue/start_wait.ts";
import { statement } from "../db/statement.ts";
import type { FleetCapacity } from "./estimate_end.ts";

export interface DevicesReady {
  /** Devices that could send now if they had no cap. */
  all: number;
  /** Devices of `all` with room in their own daily cap and with an account that has room in its daily cap. */
  withDay: number;
  /** Devices of `withDay` with an account that also has room in this hour. */
  withRoom: number;
}

export interface Fleet {
  devices: DevicesReady;
  /**
   * The same counts for sending pictures. They exclude accounts with an app that is known not to open a picture with
   * its caption.
   */
  pictureDevices: DevicesReady;
  /** The same two counts for marketing: without the devices that owe their site a rehearsal. */
  triedDevices: DevicesReady;
  triedPictureDevices: DevicesReady;
  hours: Hours;
  /** Silent sites that hold acknowledged deliveries. */
  awaySites: AwaySite[];
  /** At least one account could send more today after a person's confirmation. */
  waitsForConfirmation: boolean;
  /** At least one account could send more today if it had given back fewer deliveries. */
  gaveBackTooMuch: boolean;
  /** After a restore: leasing waits until every site has reported the outcomes of the lost time. */
  owesOutcomes: boolean;
  /** After a restore: leasing waits until numbers erased since the backup are erased again. */
  owesErasures: boolean;
  /** A backup's copy leases nothing. Neither does this edge while a newer release does the leasing. */
  isBackupCopy: boolean;
  isLeasedByNewer: boolean;
  /** A site has shown that the database is an older copy: leasing waits until `restored` has run. */
  isOlderDatabase: boolean;
  /** Whether a working site takes a text for each recipient, and the names of those that do not. */
  takesItemTexts: boolean;
  sitesWithoutItemTexts: readonly string[];
  /** This edge has just started, and leases nothing until its sites are connected again. */
  awaitsSites: boolean;
  /** What the working phones may send together; and of marketing, which phones that owe a rehearsal do not send. */
  capacity: FleetCapacity;
  triedCapacity: FleetCapacity;
  /** Why no phone can send, when `devices.all` is 0. */
  noDeviceCause: StallCause;
  /** Since when a phone has had room, ms; null = none has. */
  roomSince: number | null;
  /** When a phone was last given a delivery, ms. */
  lastLeasedAt: number;
  /** When the settings were last saved, ms. */
  settingsAt: number;
  /** Messages that wait or are on phones, by client, in running campaigns. */
  work: ReadonlyMap<number, number>;
}

export interface Hours {
  /** Whether the hours are open now, and when they next open. The settings say which campaigns keep them. */
  isOpen: boolean;
  opensAt: number;
  rules: SendingHours;
  marketingKeeps: boolean;
  serviceKeeps: boolean;
}

export interface AwaySite {
  id: number;
  name: string;
  lastSeenAt: number | null;
}

const ROOM_WORDS = "('ready', 'hour_full')";
const sumsOf = (from: string) =>
  `SELECT coalesce(sum(day_left), 0) AS day_left, coalesce(sum(now_left), 0) AS now_left,
    coalesce(sum(cap), 0) AS cap, coalesce(sum(hour_cap), 0) AS hour_cap FROM (${siteRooms(from)})`;
const READY_DEVICES = `WITH ${capacityTables(DEVICE_WORKS)},
  phones AS (
    SELECT device, max(is_well) AS well, max(standing IN ${ROOM_WORDS}) AS has_day, max(standing = 'ready') AS has_hour,
      max(is_well AND captions) AS has_picture, max(standing IN ${ROOM_WORDS} AND captions) AS has_picture_day,
      max(standing = 'ready' AND captions) AS has_picture_hour,
      max(standing IN ('unconfirmed_rested', 'unconfirmed_full') AND own_cap > used AND device_left > 0) AS is_held,
      max(standing = 'gave_back') AS gave_back, NOT max(owes_rehearsal) AS is_tried,
      min(room_since) FILTER (WHERE standing = 'ready') AS room_since, max(last_leased_at) AS last_leased_at
    FROM account_rooms GROUP BY device),
  together AS (${sumsOf("device_rooms r")}),
  -- Nearly no phone owes a rehearsal: then it is the same sum.
  tried AS (SELECT * FROM together WHERE NOT EXISTS (SELECT 1 FROM device_rooms WHERE owes_rehearsal)
    UNION ALL SELECT * FROM (${sumsOf("(SELECT * FROM device_rooms WHERE NOT owes_rehearsal) r")})
    WHERE EXISTS (SELECT 1 FROM device_rooms WHERE owes_rehearsal))
  SELECT coalesce(sum(well), 0) AS ready, coalesce(sum(has_day), 0) AS "withDay", coalesce(sum(has_hour), 0) AS "withRoom",
    coalesce(max(is_held), 0) AS unconfirmed, coalesce(max(gave_back), 0) AS "gaveBack",
    coalesce(sum(has_picture), 0) AS "pictureReady", coalesce(sum(has_picture_day), 0) AS "pictureDay",
    coalesce(sum(has_picture_hour), 0) AS "pictureRoom", min(room_since) AS "roomSince",
    coalesce(max(last_leased_at), 0) AS "lastLeasedAt",
    coalesce(sum(well AND is_tried), 0) AS "triedReady", coalesce(sum(has_day AND is_tried), 0) AS "triedDay",
    coalesce(sum(has_hour AND is_tried), 0) AS "triedRoom",
    coalesce(sum(has_picture AND is_tried), 0) AS "triedPictureReady",
    coalesce(sum(has_picture_day AND is_tried), 0) AS "triedPictureDay",
    coalesce(sum(has_picture_hour AND is_tried), 0) AS "triedPictureRoom",
    (SELECT day_left FROM tried) AS "triedLeftToday", (SELECT now_left FROM tried) AS "triedLeftNow",
    (SELECT cap FROM tried) AS "triedPerDay", (SELECT hour_cap FROM tried) AS "triedPerHour",
    (SELECT day_left FROM together) AS "leftToday", (SELECT now_left FROM together) AS "leftNow",
    (SELECT cap FROM together) AS "perDay", (SELECT hour_cap FROM together) AS "perHour"
  FROM phones`;
const OF_WORKING = `FROM devices d JOIN sites s ON s.id = d.site WHERE ${SITE_WORKS}`;
// Asked in this order: each cause hides the later ones.
const NO_DEVICE_CAUSES: readonly (readonly [StallCause, unless: string])[] = [
  [
    "no_site",
    "SELECT 1 FROM sites s WHERE s.revoked = 0 AND coalesce(s.public_key, s.last_seen_at) IS NOT NULL",
  ],
  [
    "agent_too_old",
    `SELECT 1 FROM sites s WHERE s.revoked = 0 AND s.last_seen_at > :deadBefore
      UNION ALL SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM sites s WHERE s.revoked = 0 AND ${AGENT_TOO_OLD})`,
  ],
  ["sites_away", "SELECT 1 FROM sites s WHERE s.revoked = 0 AND s.last_seen_at > :deadBefore"],
  [
    "sites_stopped",
    "SELECT 1 FROM sites s WHERE s.revoked = 0 AND s.last_seen_at > :deadBefore AND s.stopped = 0",
  ],
  ["draining", `SELECT 1 FROM sites s WHERE ${SITE_WORKS}`],
  ["phones_offline", `SELECT 1 ${OF_WORKING} AND d.state = 'online'`],
  [
    "phones_stopped",
    `SELECT 1 ${OF_WORKING} AND d.state = 'online' AND d.stopped = 0 AND d.site_stopped IS NOT 1`,
  ],
  [
    "accounts_lost",
    `SELECT 1 FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = d.site
    WHERE ${DEVICE_WORKS} AND a.state = 'ok'`,
  ],
];
const NO_DEVICE_CAUSE = `CASE ${
  NO_DEVICE_CAUSES.map(([cause, unless]) => `WHEN NOT EXISTS (${unless}) THEN '${cause}'`).join(" ")
} ELSE 'accounts_rested' END`;
// Running campaigns are few, and an index lists them.
const WORK = `SELECT client, sum(queued_count + leased_count) AS messages FROM campaigns
  WHERE status IN ('processing', 'active') GROUP BY client`;
const HOURS_AND_OWED = `SELECT ${settingSql("sendingHoursEnforced")} AS marketing, ${
  settingSql("serviceHoursEnforced")
} AS service, ${settingSql("sendingOpensAt")} AS opens,
  ${settingSql("sendingClosesAt")} AS closes, ${settingSql("fridayClosesAt")} AS friday,
  coalesce((SELECT CAST(value AS REAL) FROM settings WHERE key = 'rateLimit'), ${DEFAULT_SETTINGS.rateLimit})
    AS "rateLimit", coalesce((SELECT max(updated_at) FROM settings), 0) AS "settingsAt",
  ${OUTCOMES_OWED} AS owed, ${ERASURES_OWED} AS "owesErasures",
  EXISTS (SELECT 1 FROM sites s WHERE ${SITE_WORKS} AND s.item_texts) AS "takesItemTexts",
  (SELECT json_group_array(name) FROM (SELECT s.name FROM sites s WHERE ${SITE_WORKS} AND NOT s.item_texts ORDER BY s.name))
    AS "withoutItemTexts",
  ${IS_BACKUP_COPY} AS "isCopy", ${LEASED_BY_NEWER} AS "isNewer", ${IS_OLDER_DATABASE} AS "isOlder"`;
const AWAY_SITES = `SELECT id, name, last_seen_at FROM sites s
  WHERE coalesce(last_seen_at, 0) <= :deadBefore AND EXISTS (
    SELECT 1 FROM deliveries WHERE site = s.id AND state = 'leased' AND acked_at IS NOT NULL)
  ORDER BY id`;

const READY_FIELDS = {
  ready: wholeNumber,
  withDay: wholeNumber,
  withRoom: wholeNumber,
  unconfirmed: condition,
  gaveBack: condition,
  pictureReady: wholeNumber,
  pictureDay: wholeNumber,
  pictureRoom: wholeNumber,
  triedReady: wholeNumber,
  triedDay: wholeNumber,
  triedRoom: wholeNumber,
  triedPictureReady: wholeNumber,
  triedPictureDay: wholeNumber,
  triedPictureRoom: wholeNumber,
  triedLeftToday: wholeNumber,
  triedLeftNow: wholeNumber,
  triedPerDay: wholeNumber,
  triedPerHour: wholeNumber,
  roomSince: orNull(wholeNumber),
  lastLeasedAt: wholeNumber,
  leftToday: wholeNumber,
  leftNow: wholeNumber,
  perDay: wholeNumber,
  perHour: wholeNumber,
};
const WORK_FIELDS = { client: campaigns.client, messages: wholeNumber };
const HOURS_FIELDS = {
  marketing: condition,
  service: condition,
  opens: wholeNumber,
  closes: wholeNumber,
  friday: wholeNumber,
  rateLimit: wholeNumber,
  settingsAt: wholeNumber,
  owed: condition,
  owesErasures: condition,
  isCopy: condition,
  isNewer: condition,
  isOlder: condition,
  takesItemTexts: condition,
  withoutItemTexts: jsonOf<string[]>(),
};

interface Look {
  at: number;
  fleet: Promise<Fleet>;
}

const lastLooks = new WeakMap<EdgeContext["db"], Look>();

/**
 * Returns the state of the fleet, at most `fleetMaxAgeMs` old. It is equal for all users, and one read visits every
 * device. After a restart every browser asks within the same seconds.
 */
export async function readFleet(ctx: EdgeContext): Promise<Fleet> {
  const now = ctx.now();
  const last = lastLooks.get(ctx.db);
  const ageMs = last === undefined ? Infinity : now - last.at;
  if (ageMs >= 0 && ageMs < (ctx.fleetMaxAgeMs ?? 0)) return await last!.fleet;
  const fleet = lookAtFleet(ctx, now);
  lastLooks.set(ctx.db, { at: now, fleet });
  return await fleet;
}

async function lookAtFleet(ctx: EdgeContext, now: number): Promise<Fleet> {
  const args = { ...capacityArgs(now), deadBefore: now - DEAD_SOCKET_MS };
  const found = await readBatch(ctx.db, {
    ready: statement(READY_DEVICES, args),
    awaySites: statement(AWAY_SITES, args),
    hours: statement(HOURS_AND_OWED, args),
    cause: statement(`SELECT ${NO_DEVICE_CAUSE} AS cause`, args),
    work: statement(WORK, {}),
  });
  const ready = rowsAs(found.ready, READY_FIELDS)[0]!;
  const hours = rowsAs(found.hours, HOURS_FIELDS)[0]!;
  return {
    devices: {
      all: ready.ready,
      withDay: ready.withDay,
      withRoom: ready.withRoom,
    },
    pictureDevices: {
      all: ready.pictureReady,
      withDay: ready.pictureDay,
      withRoom: ready.pictureRoom,
    },
    triedDevices: { all: ready.triedReady, withDay: ready.triedDay, withRoom: ready.triedRoom },
    triedPictureDevices: {
      all: ready.triedPictureReady,
      withDay: ready.triedPictureDay,
      withRoom: ready.triedPictureRoom,
    },
    hours: hoursOf(hours, now),
    waitsForConfirmation: ready.unconfirmed,
    gaveBackTooMuch: ready.gaveBack,
    owesOutcomes: hours.owed,
    owesErasures: hours.owesErasures,
    isBackupCopy: hours.isCopy,
    isLeasedByNewer: hours.isNewer,
    isOlderDatabase: hours.isOlder,
    takesItemTexts: hours.takesItemTexts,
    sitesWithoutItemTexts: hours.withoutItemTexts ?? [],
    awaitsSites: isWaiting(ctx),
    capacity: {
      leftNow: ready.leftNow,
      leftToday: ready.leftToday,
      perHour: ready.perHour,
      perDay: ready.perDay,
      phones: ready.ready,
      paceMs: hours.rateLimit * 1000,
    },
    triedCapacity: {
      leftNow: ready.triedLeftNow,
      leftToday: ready.triedLeftToday,
      perHour: ready.triedPerHour,
      perDay: ready.triedPerDay,
      phones: ready.triedReady,
      paceMs: hours.rateLimit * 1000,
    },
    noDeviceCause: rowsAs(found.cause, { cause: wordOf<StallCause>() })[0]!.cause,
    roomSince: ready.roomSince,
    lastLeasedAt: ready.lastLeasedAt,
    settingsAt: hours.settingsAt,
    work: new Map(rowsAs(found.work, WORK_FIELDS).map(({ client, messages }) => [client, messages])),
    awaySites: rowsAs(found.awaySites, { id: sites.id, name: sites.name, lastSeenAt: sites.lastSeenAt }),
  };
}

function hoursOf(row: RowAs<typeof HOURS_FIELDS>, now: number): Hours {
  const rules = { sendingOpensAt: row.opens, sendingClosesAt: row.closes, fridayClosesAt: row.friday };
  const opens = opensAt(now, rules);
  return {
    isOpen: opens <= now,
    opensAt: opens,
    rules,
    marketingKeeps: row.marketing,
    serviceKeeps: row.service,
  };
}
