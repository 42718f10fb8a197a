/** The state of the fleet that campaign notices need, read in one round trip. */
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { condition, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { readBatch } from "../db/write_batch.ts";
import {
  ACCOUNT_DAY_CAP,
  ACCOUNT_HOUR_CAP,
  GIVEN,
  GIVEN_ROOM,
  HOUR_USED,
  roomArgs,
} from "../health/account_room.ts";
import { opensAt } from "../time/sending_hours.ts";
import { IS_TRUSTED, untrustedRoom } from "../health/trust.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { IS_BACKUP_COPY } from "../db/copy_mark.ts";
import { ERASURES_OWED } from "../queue/erasures_owed.ts";
import { LEASED_BY_NEWER } from "../db/release.ts";
import { IS_OLDER_DATABASE } from "../queue/older_database.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { isWaiting } from "../queue/start_wait.ts";
import { statement } from "../db/statement.ts";

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
  /** This edge has just started, and leases nothing until its sites are connected again. */
  awaitsSites: boolean;
}

export interface Hours {
  /** Whether the hours are open now, and when they next open. The settings say which campaigns keep them. */
  isOpen: boolean;
  opensAt: number;
  marketingKeeps: boolean;
  serviceKeeps: boolean;
}

export interface AwaySite {
  id: number;
  name: string;
  lastSeenAt: number | null;
}

const READY_DEVICES = `SELECT count(*) AS ready, coalesce(sum(used < most AND has_day), 0) AS "withDay",
    coalesce(sum(used < most AND has_hour), 0) AS "withRoom",
    coalesce(max(used < most AND is_held), 0) AS unconfirmed,
    coalesce(max(used < most AND gave_back), 0) AS "gaveBack",
    coalesce(sum(has_picture), 0) AS "pictureReady", coalesce(sum(used < most AND has_picture_day), 0) AS "pictureDay",
    coalesce(sum(used < most AND has_picture_hour), 0) AS "pictureRoom" FROM (
  SELECT sum(used) AS used, max(is_held) AS is_held, max(gave_back) AS gave_back,
    max(has_day) AS has_day, max(has_hour) AS has_hour, max(captions) AS has_picture,
    max(captions AND has_day) AS has_picture_day, max(captions AND has_hour) AS has_picture_hour,
    ${settingSql("maxMessagesPerDay")} AS most
  FROM (SELECT device, used, captions, cap > used AND may_send AND ${GIVEN_ROOM} > 0 AS has_day,
      cap > used AND NOT may_send AS is_held,
      cap > used AND may_send AND ${GIVEN_ROOM} <= 0 AS gave_back,
      cap > used AND may_send AND ${GIVEN_ROOM} > 0 AND ${ACCOUNT_HOUR_CAP} > hour_used AS has_hour
  FROM (SELECT (${IS_TRUSTED} OR ${
  untrustedRoom("s.id")
} > 0) AS may_send, a.device, coalesce(t.used, 0) AS used, ${GIVEN} AS given, ${ACCOUNT_DAY_CAP} AS cap, ${HOUR_USED} AS hour_used,
      a.captions IS NOT 0 AS captions
    FROM sites s JOIN devices d ON d.site = s.id JOIN accounts a ON a.device = d.id
    LEFT JOIN account_days t ON t.account = a.id AND t.day = :day
    WHERE s.revoked = 0 AND s.stopped = 0 AND s.last_seen_at > :deadBefore
      AND d.state = 'online' AND d.stopped = 0 AND d.site_stopped IS NOT 1
      AND a.state = 'ok' AND a.trip IS NULL))
  GROUP BY device)`;
const HOURS_AND_OWED = `SELECT ${settingSql("sendingHoursEnforced")} AS marketing, ${
  settingSql("serviceHoursEnforced")
} AS service, ${settingSql("sendingOpensAt")} AS opens,
  ${settingSql("sendingClosesAt")} AS closes, ${settingSql("fridayClosesAt")} AS friday,
  ${OUTCOMES_OWED} AS owed, ${ERASURES_OWED} AS "owesErasures",
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
};
const HOURS_FIELDS = {
  marketing: condition,
  service: condition,
  opens: wholeNumber,
  closes: wholeNumber,
  friday: wholeNumber,
  owed: condition,
  owesErasures: condition,
  isCopy: condition,
  isNewer: condition,
  isOlder: condition,
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
  const args = { ...roomArgs(now), deadBefore: now - DEAD_SOCKET_MS };
  const found = await readBatch(ctx.db, {
    ready: statement(READY_DEVICES, args),
    awaySites: statement(AWAY_SITES, args),
    hours: statement(HOURS_AND_OWED, args),
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
    hours: hoursOf(hours, now),
    waitsForConfirmation: ready.unconfirmed,
    gaveBackTooMuch: ready.gaveBack,
    owesOutcomes: hours.owed,
    owesErasures: hours.owesErasures,
    isBackupCopy: hours.isCopy,
    isLeasedByNewer: hours.isNewer,
    isOlderDatabase: hours.isOlder,
    awaitsSites: isWaiting(ctx),
    awaySites: rowsAs(found.awaySites, { id: sites.id, name: sites.name, lastSeenAt: sites.lastSeenAt }),
  };
}

function hoursOf(row: RowAs<typeof HOURS_FIELDS>, now: number): Hours {
  const opens = opensAt(now, {
    sendingOpensAt: row.opens,
    sendingClosesAt: row.closes,
    fridayClosesAt: row.friday,
  });
  return {
    isOpen: opens <= now,
    opensAt: opens,
    marketingKeeps: row.marketing,
    serviceKeeps: row.service,
  };
}
