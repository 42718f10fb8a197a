/** A chat keeps its sender: which due rows of a pull are left for the account that last wrote to their number, as SQL. */
import { settingSql } from "../settings/setting_sql.ts";
import { nextHour } from "../health/account_room.ts";
import { capacityArgs, capacityTables } from "../health/capacity.ts";
import { PULLED_CAMPAIGN } from "./fence.ts";

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
const SITE_ANSWERS =
  `s.revoked = 0 AND s.stopped = 0 AND s.draining = 0 AND s.last_seen_at > :now - ${SENDER_WAIT_MS}`;
const PHONE_ANSWERS = `d.state = 'online' AND d.stopped = 0 AND d.site_stopped IS NOT 1
  AND d.proof_at > :now - ${SENDER_WAIT_MS}`;

/**
 * Returns tables of a WITH, for the rows of the table `head` (id, phone, account, reason, awaits, not_before) of due
 * rows of the pulled campaign. The last one is `left_for_sender` (id, account): the rows that this pull leaves for
 * their senders, no more for each than its room. Ask KEEPS_SENDERS first. Needs
 * leftArgs() and the connection.
 *
 * @param isForNobody a condition in SQL: row `d` is not leased to any account now, and so is left for none
 */
export function leftForSenders(head: string, isForNobody: string): string {
  return `has_sender AS MATERIALIZED (
    -- CROSS: look up the numbers of the head alone.
    SELECT d.id, d.phone, s.account, row_number() OVER (PARTITION BY s.account ORDER BY d.not_before, d.id) AS no
    FROM ${head} d CROSS JOIN senders s
      ON s.client = (SELECT client FROM campaigns WHERE id = ${PULLED_CAMPAIGN}) AND s.phone = d.phone
    WHERE d.awaits IS NULL AND NOT ${GAVE_BACK}),
  ${
    capacityTables(
      "a.device IN (SELECT o.device FROM has_sender JOIN accounts o ON o.id = has_sender.account)",
    )
  },
  senders_ready AS MATERIALIZED (
    SELECT r.id, min(r.day_left, r.now_left + iif(:hourEndsSoon, r.hour_cap, 0))
      - (SELECT count(*) FROM deliveries w WHERE w.awaits = r.id AND w.not_before > :now AND w.campaign IN (
          SELECT id FROM campaigns WHERE status IN ('processing', 'active'))) AS room
    FROM account_rooms r JOIN devices d ON d.id = r.device JOIN sites s ON s.id = r.site
    WHERE r.day_left > 0 AND ${SITE_ANSWERS} AND ${PHONE_ANSWERS}
      AND (r.captions OR (SELECT image IS NULL FROM campaigns WHERE id = ${PULLED_CAMPAIGN}))),
  left_for_sender AS MATERIALIZED (
    SELECT d.id, d.account FROM has_sender d CROSS JOIN senders_ready r ON r.id = d.account AND d.no <= r.room
    WHERE NOT ${isForNobody})`;
}

/**
 * Returns SQL: a table of the ids (`value`) of `table`, a table of a WITH; without rows unless `condition` holds. Then SQLite does not even read
 * the tables behind it, as it would for a condition beside `IN (SELECT id FROM table)`.
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
