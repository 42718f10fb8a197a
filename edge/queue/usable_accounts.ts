/** The accounts of a pull's devices that may get deliveries now, as SQL. The claim decides how many each gets. */
import { PREFETCH_PER_DEVICE } from "shared/lease.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { ACCOUNT_DAY_CAP, ACCOUNT_HOUR_CAP, GIVEN, GIVEN_ROOM, HOUR_USED } from "../health/account_room.ts";
import { IS_UNTRIED, SITE_ASKS } from "../health/rehearsals.ts";
import { IS_TRUSTED, untrustedRoom } from "../health/trust.ts";

/** The delivery in hand and the prefetched ones. */
export const MAX_PER_DEVICE = PREFETCH_PER_DEVICE + 1;

/**
 * SQL condition: no device has two accounts, which is the usual case. Window functions would make the select of each pull
 * a fifth slower.
 */
const ONE_EACH = "(SELECT count(*) = count(DISTINCT device) FROM able)";

/**
 * Returns tables of a WITH:
 * - `room` (device, n): free room on each device and in its day.
 * - `usable` (id, device, room, account_turn, accounts, is_trusted): the accounts of those devices in order of last
 *   use.
 * - `untrusted` (room): room that the site's unconfirmed accounts still share today.
 *
 * What this pull has leased already, by its :token, takes of the room that the site asked for. Needs :site, :token,
 * :devices (toRoomJson()) and roomArgs().
 *
 * @param isForAll a condition in SQL; if it is false, accounts whose app opens a picture without its caption are left
 *   out
 * @param isForUntried a condition in SQL; if it is false, devices that were not tried are left out
 */
export function usableAccounts(isForAll: string, isForUntried: string): string {
  return `pulled AS MATERIALIZED (SELECT key, value AS room FROM json_each(:devices)),
  in_hand AS MATERIALIZED (
    SELECT a.device, count(*) AS n, sum(l.token = :token) AS fresh FROM deliveries l JOIN accounts a ON a.id = l.account
    WHERE l.site = :site AND l.state = 'leased' GROUP BY a.device),
  room AS MATERIALIZED (
    SELECT d.id AS device, min(p.room - coalesce(h.fresh, 0), ${MAX_PER_DEVICE} - coalesce(h.n, 0),
      coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'maxMessagesPerDay'),
        ${DEFAULT_SETTINGS.maxMessagesPerDay})
      - coalesce((SELECT sum(t.used) FROM accounts a JOIN account_days t ON t.account = a.id AND t.day = :day
          WHERE a.device = d.id), 0)) AS n
    -- CROSS: begin with the few devices of the pull, not with all of the site.
    FROM pulled p CROSS JOIN devices d ON d.site = :site AND d.key = p.key LEFT JOIN in_hand h ON h.device = d.id
    WHERE d.stopped = 0 AND (${isForUntried} OR NOT ${IS_UNTRIED})),
  days AS MATERIALIZED (
    SELECT a.id, a.device, a.last_leased_at, ${IS_TRUSTED} AS is_trusted,
      ${ACCOUNT_DAY_CAP} AS cap, coalesce(t.used, 0) AS used, ${GIVEN} AS given, ${HOUR_USED} AS hour_used
    FROM room CROSS JOIN accounts a ON a.device = room.device
    LEFT JOIN account_days t ON t.account = a.id AND t.day = :day
    WHERE room.n > 0 AND a.state = 'ok' AND a.trip IS NULL AND (a.captions IS NOT 0 OR ${isForAll})),
  untrusted AS MATERIALIZED (SELECT max(0, ${untrustedRoom(":site")}) AS room),
  able AS MATERIALIZED (
    SELECT id, device, is_trusted, min(cap - used, ${ACCOUNT_HOUR_CAP} - hour_used, ${GIVEN_ROOM}) AS room,
      last_leased_at
    FROM days WHERE cap > used AND ${ACCOUNT_HOUR_CAP} > hour_used AND ${GIVEN_ROOM} > 0
      AND (is_trusted OR (SELECT room FROM untrusted) > 0)),
  usable AS MATERIALIZED (
    SELECT id, device, is_trusted, room, iif(${ONE_EACH}, 0, (
        SELECT count(*) FROM able o WHERE o.device = able.device AND (o.last_leased_at < able.last_leased_at
          OR (o.last_leased_at = able.last_leased_at AND o.id < able.id)))) AS account_turn,
      iif(${ONE_EACH}, 1, (SELECT count(*) FROM able o WHERE o.device = able.device)) AS accounts
    FROM able)`;
}

/** SQL condition: one of them can send a picture with its caption. Evaluated only when a campaign has a picture. */
export const CAN_SEND_PICTURES = `EXISTS (WITH ${usableAccounts("0", "1")} SELECT 1 FROM usable)`;

/** SQL condition: a device of the pull owes its site a rehearsal. */
const SOME_OWE = `(${SITE_ASKS} AND EXISTS (
  SELECT 1 FROM json_each(:devices) p CROSS JOIN devices d ON d.site = :site AND d.key = p.key WHERE ${IS_UNTRIED}))`;

/**
 * SQL condition: one of them can send the marketing campaign `c`. Evaluated further only when a device owes a
 * rehearsal.
 */
export const CAN_SEND_MARKETING = `(NOT ${SOME_OWE} OR CASE WHEN c.image IS NULL
  THEN EXISTS (WITH ${usableAccounts("1", "0")} SELECT 1 FROM usable)
  ELSE EXISTS (WITH ${usableAccounts("0", "0")} SELECT 1 FROM usable) END)`;

/**
 * Returns :devices: JSON with the room of each device by its serial. A device that is named twice has the greater room.
 * SQLite reads the keys of an object sooner than pairs, which it parses again for each field.
 */
export function toRoomJson(devices: readonly { id: string; room: number }[]): string {
  const rooms = new Map<string, number>();
  for (const { id, room } of devices) rooms.set(id, Math.max(room, rooms.get(id) ?? room));
  return JSON.stringify(Object.fromEntries(rooms));
}
