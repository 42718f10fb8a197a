/** A chat keeps its sender: which due rows of a pull are left for the account that last wrote to their number, as SQL. */
import { settingSql } from "../settings/setting_sql.ts";
import { nextHour } from "../health/account_room.ts";
import { capacityArgs, capacityTables } from "../health/capacity.ts";
import { PULLED_CAMPAIGN } from "./fence.ts";
import { LATEST, PACE } from "./impossible_taps.ts";

/** A row waits at most this long for its sender, and a sender's phone has answered within this time. */
export const SENDER_WAIT_MS = 10 * 60_000;

/**
 * SQL condition: rows of the pulled campaign are left for their senders. Tests to oneself and pilot waves wait for
 * nobody. Of a client's first campaign no number has a sender, and none is looked up. SQLite evaluates it once per
 * statement.
 */
export const KEEPS_SENDERS = `(SELECT c.test_of IS NULL AND c.pilot_last IS NULL AND ${
  settingSql("stickySender")
}
    AND EXISTS (SELECT 1 FROM campaigns o WHERE o.client = c.client AND o.id <> c.id AND o.sent_count > 0)
  FROM campaigns c WHERE c.id = ${PULLED_CAMPAIGN})`;
/** SQL condition: row `d` was given back by its sender `s`, and no person called it back. */
const GAVE_BACK =
  "(d.account = s.account AND coalesce(d.reason, 'recalled') NOT IN ('recalled', 'campaign_paused'))";
/** SQL condition: the phone `d` at site `s` answered lately, and nobody stopped either. */
export const ANSWERS =
  `s.revoked = 0 AND s.stopped = 0 AND s.draining = 0 AND s.last_seen_at > :now - ${SENDER_WAIT_MS}
  AND d.state = 'online' AND d.stopped = 0 AND d.site_stopped IS NOT 1 AND d.proof_at > :now - ${SENDER_WAIT_MS}`;
/** SQL: what an account of `account_rooms r` may still send within the wait, by its day and its hours. */
export const ROOM = "min(r.day_left, r.now_left + iif(:hourEndsSoon, r.hour_cap, 0))";
/** SQL condition: a campaign has no image, or the account `r` sends it with its caption. */
export const canShowImageOf = (campaign: string) =>
  `(r.captions OR (SELECT image IS NULL FROM campaigns WHERE id = ${campaign}))`;
const LIVE = "(SELECT id FROM campaigns WHERE status IN ('processing', 'active'))";
const COUNT_WAITING =
  `SELECT count(*) FROM deliveries w WHERE w.not_before > :now AND w.campaign IN ${LIVE} AND w.awaits`;
/**
 * SQL: the rows that the phone `d` may tap within the wait, less those that it holds: one at the end of its pace, and one
 * more each pace later. Without a pace there is no bound.
 */
const PACED_ROOM =
  `iif(${PACE} > 0, max(0, (${SENDER_WAIT_MS} - max(0, min(coalesce(d.paced_until, 0), ${LATEST}) - :now)
      + ${PACE} - 1) / nullif(${PACE}, 0) - coalesce((SELECT n FROM in_hand_of h WHERE h.device = r.device), 0)),
    ${Number.MAX_SAFE_INTEGER})`;

/**
 * Returns tables of a WITH, for the rows of the table `head` (id, phone, account, reason, awaits, not_before, expires_at) of due
 * rows of the pulled campaign. The last one is `left_for_sender` (id, account): the rows that this pull leaves for
 * their senders, no more than the account, its phone and the unconfirmed accounts of its site can send within the wait.
 * Ask KEEPS_SENDERS first. Needs leftArgs() and the connection.
 *
 * @param isForNobody a condition in SQL: row `d` is not leased to any account now, and so is left for none
 */
export function leftForSenders(head: string, isForNobody: string): string {
  return `has_sender AS MATERIALIZED (
    -- CROSS: look up the numbers of the head alone.
    SELECT d.id, d.phone, d.expires_at, s.account, row_number() OVER (ORDER BY d.not_before, d.id) AS place,
      row_number() OVER (PARTITION BY s.account ORDER BY d.not_before, d.id) AS no
    FROM ${head} d CROSS JOIN senders s
      ON s.client = (SELECT client FROM campaigns WHERE id = ${PULLED_CAMPAIGN}) AND s.phone = d.phone
    WHERE d.awaits IS NULL AND NOT ${GAVE_BACK}),
  ${
    capacityTables(
      "a.device IN (SELECT o.device FROM has_sender JOIN accounts o ON o.id = has_sender.account)",
    )
  },
  waits AS MATERIALIZED (SELECT id AS account, device, (${COUNT_WAITING} = account_rooms.id) AS n FROM account_rooms),
  pool_waits AS MATERIALIZED (
    SELECT u.site, sum((${COUNT_WAITING} = u.id)) AS n FROM accounts u
    WHERE u.site IN (SELECT site FROM account_rooms WHERE NOT is_trusted) AND u.confirmed_at IS NULL AND u.trusted = 0
    GROUP BY u.site),
  in_hand_of AS MATERIALIZED (
    SELECT a.device, count(*) AS n FROM deliveries l JOIN accounts a ON a.id = l.account
    WHERE l.state = 'leased' AND l.site IN (SELECT site FROM account_rooms) GROUP BY a.device),
  senders_ready AS MATERIALIZED (
    SELECT r.id, r.device, r.site, r.is_trusted,
      ${ROOM} - (SELECT n FROM waits w WHERE w.account = r.id) AS room,
      min(r.device_left, ${PACED_ROOM}) - (SELECT sum(n) FROM waits w WHERE w.device = r.device) AS device_room,
      r.pool - coalesce((SELECT n FROM pool_waits p WHERE p.site = r.site), 0) AS pool_room
    FROM account_rooms r JOIN devices d ON d.id = r.device JOIN sites s ON s.id = r.site
    WHERE r.day_left > 0 AND ${ANSWERS}
      AND ${canShowImageOf(PULLED_CAMPAIGN)}),
  left_for_sender AS MATERIALIZED (
    SELECT id, account FROM (
      SELECT d.id, d.account, r.is_trusted, r.device_room, r.pool_room,
        row_number() OVER (PARTITION BY r.device ORDER BY d.place) AS device_no,
        sum(NOT r.is_trusted) OVER (PARTITION BY r.site ORDER BY d.place ROWS UNBOUNDED PRECEDING) AS pool_no
      FROM has_sender d CROSS JOIN senders_ready r ON r.id = d.account AND d.no <= r.room
      WHERE NOT ${isForNobody})
    WHERE device_no <= device_room AND (is_trusted OR pool_no <= pool_room))`;
}

/**
 * Returns SQL: the ids (`value`) of `table`, a table of a WITH, if `condition` holds, and no rows otherwise. Then SQLite
 * does not compute `table`; with `condition` beside `IN (SELECT id FROM table)` it would.
 */
export function idsIf(condition: string, table: string): string {
  return `json_each(
    (SELECT CASE WHEN ${condition} THEN (SELECT json_group_array(id) FROM ${table}) ELSE '[]' END))`;
}

/** Returns the arguments of leftForSenders(). */
export function leftArgs(now: number): { hoursLeft: number; hourEndsSoon: number } {
  return {
    hoursLeft: capacityArgs(now).hoursLeft,
    hourEndsSoon: Number(nextHour(now) < now + SENDER_WAIT_MS),
  };
}
