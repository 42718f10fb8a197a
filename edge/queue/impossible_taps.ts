/** Taps that a site cannot have made: faster than its pace, or outside its lease. As SQL, for the report. */
import { MOVED_BY } from "shared/delivery.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { FENCE } from "./fence.ts";
import { itemField } from "./outcome_update.ts";
import { OUTCOMES_RECEIVED } from "../deliveries/outcomes_owed.ts";

/** The clocks of two edges may differ by this much, so a burst of this length looks like such a difference. */
const CLOCKS_APART_MS = 60_000;
/** A machine that slept, or an edge with a wrong clock, reports a time outside the lease by less than this. */
const TIME_SLACK_MS = 60 * 60_000;

const reported = (field: Parameters<typeof itemField>[1]) => itemField("r.value", field);
const toMs = (seconds: string) => `CAST(1000 * CAST(${seconds} AS REAL) AS INTEGER)`;
/** SQL: the pace in force, milliseconds between two taps of one device. */
export const PACE = `coalesce((SELECT ${toMs("value")} FROM settings WHERE key = 'rateLimit'), ${
  DEFAULT_SETTINGS.rateLimit * 1000
})`;
/**
 * SQL: latest `paced_until` of an honest site. A later time means that a clock was ahead, or that the site was stopped
 * for it.
 */
export const LATEST = `:now + ${CLOCKS_APART_MS} + 2 * ${PACE}`;

/**
 * Moves each device's `paced_until` past the taps that :items claim. The first tap counts from its lease or the end
 * of the previous pace, each further tap one pace later. An honest site never taps earlier, because it taps after the
 * lease and keeps the pace. Run it before the rows move: a repeated report finds them moved and counts nothing.
 * Without a configured pace it checks no tap.
 */
export const KEEP_PACE = `WITH taps AS MATERIALIZED (
    SELECT a.device, count(*) AS taps, min(min(coalesce(l.leased_at, 0), :now)) AS since
    FROM json_each(iif(${PACE} > 0, :items, '[]')) r
    JOIN deliveries l ON l.campaign = ${reported("campaign")} AND l.phone = ${reported("phone")}
    JOIN accounts a ON a.id = l.account
    WHERE l.site = :site AND l.token = ${reported("token")} AND ${claimsTap("l", reported("outcome"))}
    GROUP BY a.device),
  paced AS MATERIALIZED (
    SELECT device, taps, since,
      min(${PACE}, coalesce((SELECT min(${toMs("seconds")}) FROM past_paces WHERE until >= since),
        ${PACE})) AS pace
    FROM taps)
  UPDATE devices SET paced_until = p.pace * p.taps
    + iif(devices.paced_until <= ${LATEST}, max(devices.paced_until, p.since), p.since)
  FROM paced p WHERE devices.id = p.device AND p.pace > 0 AND ${OUTCOMES_RECEIVED} AND ${FENCE}`;

/**
 * SQL: 1 when the row `row` cannot have been tapped as its site claims, else 0. `outcome` and `edgeAt` are SQL for
 * the claim. Older sites do not report the edge's time; for them only the pace is checked.
 */
export function isImpossible(row: string, outcome: string, edgeAt: string): string {
  return `(${claimsTap(row, outcome)} AND (
    coalesce(${edgeAt} NOT BETWEEN min(${row}.leased_at, :now) - ${TIME_SLACK_MS}
      AND max(${row}.leased_at, :now) + ${TIME_SLACK_MS}, 0)
    OR EXISTS (SELECT 1 FROM accounts paced_account JOIN devices d ON d.id = paced_account.device
      WHERE paced_account.id = ${row}.account AND d.paced_until > ${LATEST})) IS 1)`;
}

/**
 * SQL condition: the claim would move the row. A repeated claim, or one about a row that a person decided, does not
 * count.
 */
function claimsTap(row: string, outcome: string): string {
  return `((${row}.state = 'leased' AND ${outcome} IN ('sent', 'unknown'))
    OR (${outcome} = 'sent' AND ${row}.state NOT IN ('leased', 'sent') AND ${row}.by <> ${MOVED_BY.person}))`;
}
