/**
 * What phones and accounts may still send: the only place that adds up warm-up, hours, caps, shared rooms and rests.
 * Device list, account pages, dashboard, notices, alerts, estimates and the capacity board read it. It counts with
 * the fragments of the claim (account_room.ts, trust.ts); capacity_test.ts compares it with what the claim gives.
 */
import { AGENT_SUBPROTOCOL } from "shared/agent_protocol.ts";
import { msToLocalMidnight } from "../time/local_day.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { ACCOUNT_DAY_CAP, ACCOUNT_HOUR_CAP, GIVEN, GIVEN_ROOM, HOUR_USED, roomArgs } from "./account_room.ts";
import { OWES_REHEARSAL } from "./rehearsals.ts";
import { IS_TRUSTED, untrustedRoom } from "./trust.ts";

const HOUR_MS = 60 * 60_000;

/** SQL condition: site `s` takes work. Needs :deadBefore. */
export const SITE_WORKS =
  "(s.revoked = 0 AND s.stopped = 0 AND s.draining = 0 AND s.last_seen_at > :deadBefore)";
/** SQL condition: device `d` at site `s` takes work, if its accounts have room. Needs :deadBefore. */
export const DEVICE_WORKS =
  `(${SITE_WORKS} AND d.state = 'online' AND d.stopped = 0 AND d.site_stopped IS NOT 1)`;
/** SQL condition: the agent of site `s` is too old for this edge, which refuses it. */
export const AGENT_TOO_OLD = `(s.protocol IS NOT NULL AND s.protocol <> '${AGENT_SUBPROTOCOL}')`;

/** Returns the arguments of capacityTables(); `now` in ms. */
export function capacityArgs(now: number): ReturnType<typeof roomArgs> & { hoursLeft: number } {
  const hourEndsIn = HOUR_MS - (now % HOUR_MS);
  return {
    ...roomArgs(now),
    // Clock hours of today after the present one. Israel's midnight is at a full hour.
    hoursLeft: Math.max(0, Math.floor((msToLocalMidnight(now) - hourEndsIn) / HOUR_MS)),
  };
}

const MOST_PER_DAY = settingSql("maxMessagesPerDay");

/**
 * Returns tables of a WITH, over `accounts a` on `devices d` at `sites s` that match `which` (SQL):
 * - `account_rooms` (id, device, site, is_trusted, captions, used, cap, hour_cap, standing, day_left, now_left,
 *   room_since, owes_rehearsal): each account alone, as if the accounts beside it sent nothing more.
 * - `device_rooms` (device, site, used, owes_rehearsal, cap, hour_cap, day_left, now_left, and `…_trusted` of the last
 *   four): each phone alone. siteRooms() adds them up.
 *
 * `day_left` lasts until midnight in Israel, and counts with the hours that remain. `now_left` lasts until the next
 * clock hour. A rest, a ban and a full day leave 0. A rehearsal that a phone owes holds back its marketing alone, so it
 * changes none of the figures. Needs capacityArgs().
 */
export function capacityTables(which: string): string {
  return `pools AS MATERIALIZED (
    SELECT s.id AS site, max(0, ${untrustedRoom("s.id")}) AS room, s.unconfirmed_rest IS NOT NULL AS rests
    FROM sites s WHERE s.revoked = 0 AND EXISTS (
      SELECT 1 FROM accounts u WHERE u.site = s.id AND u.confirmed_at IS NULL AND u.trusted = 0)),
  account_facts AS (
    SELECT *, ${GIVEN_ROOM} AS given_room, ${ACCOUNT_HOUR_CAP} AS hour_cap,
      ${MOST_PER_DAY} - sum(used) OVER (PARTITION BY device) AS device_left
    FROM (SELECT a.id, a.device, a.site, a.state, a.unknown_screen, a.trip, ${IS_TRUSTED} AS is_trusted, a.captions IS NOT 0 AS captions, a.last_leased_at,
      ${ACCOUNT_DAY_CAP} AS cap, coalesce(t.used, 0) AS used, ${GIVEN} AS given, ${HOUR_USED} AS hour_used,
      t.hour AS last_hour, coalesce(t.hour_used, 0) AS last_hour_used,
      p.room AS pool, coalesce(p.rests, 0) AS rests,
      max(coalesce(a.state_since, 0), coalesce(d.state_since, 0),
        coalesce(d.trial_since, 0),
        iif(s.reachable, coalesce(s.reachable_since, 0), 0)) AS well_since,
      ${OWES_REHEARSAL} AS owes_rehearsal
    FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site
    LEFT JOIN account_days t ON t.account = a.id AND t.day = :day
    LEFT JOIN pools p ON p.site = a.site
    WHERE ${which})),
  account_standings AS (
    SELECT *, CASE WHEN state = 'unreachable' AND unknown_screen IS NOT NULL THEN 'unknown_screen'
        WHEN state <> 'ok' THEN state
        WHEN trip IS NOT NULL THEN 'rested'
        WHEN NOT is_trusted AND rests THEN 'unconfirmed_rested'
        WHEN cap <= used OR device_left <= 0 THEN 'day_full'
        WHEN NOT is_trusted AND pool <= 0 THEN 'unconfirmed_full'
        WHEN given_room <= 0 THEN 'gave_back'
        WHEN hour_cap <= hour_used THEN 'hour_full'
        ELSE 'ready' END AS standing,
      max(0, hour_cap - hour_used) AS hour_left
    FROM account_facts),
  account_rooms AS MATERIALIZED (
    SELECT id, device, site, is_trusted, captions, last_leased_at, used, standing, device_left, pool, hour_cap,
      cap AS own_cap,
      iif(is_trusted, cap, min(cap, ${settingSql("unconfirmedPerDay")})) AS cap,
      iif(standing IN ('ready', 'hour_full'),
        min(cap - used, given_room, hour_left + hour_cap * :hoursLeft, device_left, iif(is_trusted, cap, pool)), 0)
        AS day_left,
      iif(standing = 'ready', min(cap - used, given_room, hour_left, device_left, iif(is_trusted, cap, pool)), 0)
        AS now_left,
      -- Since when it has had room: a full hour before this one has just ended.
      max(well_since, iif(last_hour = :hour - 1 AND last_hour_used >= hour_cap, :hour * ${HOUR_MS}, :dayStart))
        AS room_since,
      state = 'ok' AND trip IS NULL AS is_well, owes_rehearsal
    FROM account_standings),
  device_rooms AS MATERIALIZED (
    SELECT device, site, sum(used) AS used, max(owes_rehearsal) AS owes_rehearsal,
      min(${MOST_PER_DAY}, coalesce(sum(cap) FILTER (WHERE is_trusted AND is_well), 0)) AS cap_trusted,
      min(${MOST_PER_DAY}, coalesce(sum(hour_cap) FILTER (WHERE is_trusted AND is_well), 0)) AS hour_cap_trusted,
      min(${MOST_PER_DAY}, coalesce(sum(cap) FILTER (WHERE is_trusted), 0)
        + min(${
    settingSql("unconfirmedPerDay")
  }, coalesce(sum(cap) FILTER (WHERE NOT is_trusted), 0))) AS cap,
      min(${MOST_PER_DAY}, coalesce(sum(cap) FILTER (WHERE is_well), 0)) AS cap_well,
      min(${MOST_PER_DAY}, coalesce(sum(hour_cap) FILTER (WHERE is_well), 0)) AS hour_cap,
      max(0, min(device_left, coalesce(sum(day_left) FILTER (WHERE is_trusted), 0))) AS day_left_trusted,
      max(0, min(device_left, coalesce(sum(day_left) FILTER (WHERE is_trusted), 0)
        + min(coalesce(pool, 0), coalesce(sum(day_left) FILTER (WHERE NOT is_trusted), 0)))) AS day_left,
      max(0, min(device_left, coalesce(sum(now_left) FILTER (WHERE is_trusted), 0))) AS now_left_trusted,
      max(0, min(device_left, coalesce(sum(now_left) FILTER (WHERE is_trusted), 0)
        + min(coalesce(pool, 0), coalesce(sum(now_left) FILTER (WHERE NOT is_trusted), 0)))) AS now_left
    FROM account_rooms GROUP BY device)`;
}

/**
 * Returns SQL over some `device_rooms r`, grouped by site: what the phones of each site may send together, as
 * (site, cap, hour_cap, day_left, now_left). Unconfirmed accounts share one room over all phones of their site.
 *
 * A phone with confirmed and unconfirmed accounts may take of the shared room what another phone could have used. Then
 * the claim may give less than this, and never more.
 */
export function siteRooms(from: string): string {
  const shared = settingSql("unconfirmedPerDay");
  const together = (trusted: string, all: string, pool: string) =>
    `sum(r.${trusted}) + min(${pool}, sum(r.${all} - r.${trusted}))`;
  const pool = "coalesce((SELECT room FROM pools WHERE site = r.site), 0)";
  const renewed = `coalesce((SELECT iif(rests, 0, ${shared}) FROM pools WHERE site = r.site), 0)`;
  return `SELECT r.site, ${together("cap_trusted", "cap_well", renewed)} AS cap,
    ${together("hour_cap_trusted", "hour_cap", renewed)} AS hour_cap,
    ${together("day_left_trusted", "day_left", pool)} AS day_left,
    ${together("now_left_trusted", "now_left", pool)} AS now_left
  FROM ${from} GROUP BY r.site`;
}
