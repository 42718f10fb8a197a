/** What a site's word does to a row, as one UPDATE over a list of outcomes. */
import type { ReportItem } from "shared/agent_protocol.ts";
import { MOVED_BY, RETRY_DELAYS_MS } from "shared/delivery.ts";
import { FENCE } from "./fence.ts";
import { land, notTapped } from "./land.ts";
import { toDigits } from "./wire_phone.ts";

/** `r`: the outcomes in :items, one row each. */
export const OUTCOMES = `r AS MATERIALIZED (
  SELECT value->>'campaign' AS campaign, value->>'phone' AS phone, value->>'token' AS token,
    value->>'attempt' AS attempt, value->>'outcome' AS outcome, value->>'temporary' AS temporary,
    value->>'reason' AS reason, value->>'account' AS account, value->>'tappedAt' AS tapped_at
  FROM json_each(:items))`;

const PASSING = "r.outcome = 'void' AND r.temporary";
const RETRY_DELAY = `CASE tries ${
  RETRY_DELAYS_MS.map((delayMs, tries) => `WHEN ${tries} THEN ${delayMs}`).join(" ")
} ELSE 0 END`;
const untapped = notTapped(MOVED_BY.site, "r.reason");
/** A passing failure too many ends a delivery that would have been queued again. */
const TRIES_OVER = `${PASSING} AND tries >= ${RETRY_DELAYS_MS.length} AND ${untapped.state} = 'queued'`;

/**
 * SQL that moves the rows of `r` that match `guard` as their own site reports them; RETURNING names those that
 * moved. Needs :items, :now, :site and :epoch.
 */
export function outcomeUpdate(guard: string): string {
  return `WITH ${OUTCOMES} UPDATE deliveries SET
    ${
    land({
      state: `CASE WHEN r.outcome <> 'void' THEN r.outcome
        WHEN ${TRIES_OVER} THEN 'failed' ELSE ${untapped.state} END`,
      by: MOVED_BY.site,
      reason: `CASE WHEN r.outcome = 'sent' THEN NULL WHEN r.outcome <> 'void' THEN r.reason
        WHEN ${TRIES_OVER} THEN 'retries_exhausted' ELSE ${untapped.reason} END`,
    })
  },
    tries = tries + (${PASSING}),
    not_before = CASE WHEN ${PASSING} THEN :now + ${RETRY_DELAY} ELSE not_before END,
    tapped_at = r.tapped_at, updated_at = :now
  FROM r WHERE deliveries.campaign = r.campaign AND deliveries.phone = r.phone
    AND deliveries.token = r.token AND deliveries.site = :site AND ${guard} AND ${FENCE}
  RETURNING phone, token`;
}

/** Keeps the outcomes of `r` that match `which` as evidence, once each, when the delivery exists at all. */
export function keepAttempts(which: string): string {
  return `WITH ${OUTCOMES} INSERT OR IGNORE INTO attempts
      (campaign, phone, attempt, token, site, account, outcome, reason, tapped_at, at)
    SELECT r.campaign, r.phone, r.attempt, r.token, :site,
      (SELECT id FROM accounts a WHERE a.site = :site AND a.key = r.account),
      r.outcome, r.reason, r.tapped_at, :now
    FROM r JOIN deliveries d ON d.campaign = r.campaign AND d.phone = r.phone
    WHERE ${which} AND ${FENCE}`;
}

/** Report items as :items takes them. */
export function toItemsJson(items: readonly ReportItem[]): string {
  return JSON.stringify(items.map((item) => ({ ...item, phone: toDigits(item.phone) })));
}
