/** The effect of a site's report on rows, as one UPDATE over a list of outcomes. */
import type { ReportItem } from "shared/agent_protocol.ts";
import { MOVED_BY, RETRY_DELAYS_MS } from "shared/delivery.ts";
import { ACCOUNT_WORD_MS, PARKED } from "shared/lease.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { FENCE } from "./fence.ts";
import { notTapped, settle } from "../deliveries/settle.ts";
import { toDigits } from "../numbers/wire_phone.ts";

/**
 * Order of the fields in an item of :items. SQLite reads an array in half the time of an object, its first fields
 * soonest.
 */
const FIELDS = [
  "campaign",
  "phone",
  "token",
  "outcome",
  "temporary",
  "reason",
  "tappedAt",
  "edgeAt",
  "attempt",
  "account",
] as const satisfies readonly (keyof ReportItem)[];

/** The fields that statements read: each costs a quarter of a microsecond per item. */
const FIELDS_TO_MOVE = [
  "campaign",
  "phone",
  "token",
  "outcome",
  "temporary",
  "reason",
  "tappedAt",
  "edgeAt",
] as const;
const FIELDS_TO_KEEP = [
  "campaign",
  "phone",
  "token",
  "attempt",
  "outcome",
  "reason",
  "account",
  "tappedAt",
  "edgeAt",
] as const;

/** Returns SQL for a field of an item of :items; `value` is the column of json_each() that holds the item. */
export function itemField(value: string, field: (typeof FIELDS)[number]): string {
  return `${value}->>${FIELDS.indexOf(field)}`;
}

/** Returns the table `r` of a WITH: these fields of the outcomes in :items, one row each. */
export function outcomes(fields: readonly (typeof FIELDS)[number][]): string {
  const columns = fields.map((field) => `${itemField("value", field)} AS ${field}`);
  return `r AS MATERIALIZED (SELECT ${columns.join(", ")} FROM json_each(:items))`;
}

const PASSING = "r.outcome = 'void' AND r.temporary";
const RETRY_DELAY = `CASE tries ${
  RETRY_DELAYS_MS.map((delayMs, tries) => `WHEN ${tries} THEN ${delayMs}`).join(" ")
} ELSE 0 END`;
const untapped = notTapped(MOVED_BY.site, "r.reason");
/** Without failover, a row left by an account waits for that account; a person may decide otherwise. */
const STAYS = `r.outcome = 'void' AND r.reason IN ('device_offline', 'account_banned', 'account_restricted',
  'account_logged_out', 'account_unavailable') AND NOT ${settingSql("autoFailover")}`;
const IS_LOST = "EXISTS (SELECT 1 FROM accounts a WHERE a.id = deliveries.account AND a.state <> 'ok')";
/** One temporary failure too many ends a delivery that would otherwise be queued again. */
const TRIES_OVER = `${PASSING} AND tries >= ${RETRY_DELAYS_MS.length} AND ${untapped.state} = 'queued'`;

/** SQL: the rows of `r`, each with the delivery that this site holds or held under its token. */
const MATCHED = `FROM r WHERE deliveries.campaign = r.campaign AND deliveries.phone = r.phone
    AND deliveries.token = r.token AND deliveries.site = :site`;

/**
 * Returns SQL that moves the rows of `r` that match `guard`, as their own site reports them. RETURNING names the
 * moved rows. Needs :items, :now, :site and :epoch.
 */
export function outcomeUpdate(guard: string): string {
  return `WITH ${outcomes(FIELDS_TO_MOVE)} UPDATE deliveries SET
    ${
    settle({
      state: `CASE WHEN r.outcome <> 'void' THEN r.outcome
        WHEN ${TRIES_OVER} THEN 'failed' ELSE ${untapped.state} END`,
      by: MOVED_BY.site,
      reason: `CASE WHEN r.outcome = 'sent' THEN NULL WHEN r.outcome <> 'void' THEN r.reason
        WHEN ${TRIES_OVER} THEN 'retries_exhausted' ELSE ${untapped.reason} END`,
    })
  },
    tries = tries + (${PASSING}),
    not_before = CASE WHEN ${PASSING} THEN :now + ${RETRY_DELAY}
      WHEN ${STAYS} THEN iif(${IS_LOST}, ${PARKED}, :now + ${ACCOUNT_WORD_MS}) ELSE not_before END,
    tapped_at = r.tappedAt, updated_at = :now
  ${MATCHED} AND ${guard} AND ${FENCE}
  RETURNING phone, token`;
}

/** The fields that sentUpdate() and its `guard` read. */
const FIELDS_OF_SENT = ["campaign", "phone", "token", "tappedAt", "edgeAt"] as const;

/**
 * Returns SQL that moves rows as outcomeUpdate() does, for reports in which every outcome is `sent`: nearly all. Such a
 * row becomes sent whatever is known of earlier attempts, and fewer fields are read.
 */
export function sentUpdate(guard: string): string {
  return `WITH ${outcomes(FIELDS_OF_SENT)} UPDATE deliveries SET
    state = 'sent', by = ${MOVED_BY.site}, reason = NULL, tapped_at = r.tappedAt, updated_at = :now
  ${MATCHED} AND ${guard} AND ${FENCE}
  RETURNING phone, token`;
}

const OWN_ATTEMPT = "d.token = r.token AND d.site = :site";

/**
 * Returns SQL that stores the outcomes of `r` that match `which` as evidence, once each, with the decision about them
 * (`result`, SQL). Run it before the row moves.
 */
export function keepAttempts(which: string, result: string): string {
  return `WITH ${outcomes(FIELDS_TO_KEEP)} INSERT OR IGNORE INTO attempts
      (campaign, phone, attempt, token, site, account, outcome, reason, tapped_at, at, result, leased_at, acked_at)
    SELECT r.campaign, r.phone, r.attempt, r.token, :site,
      (SELECT id FROM accounts a WHERE a.site = :site AND a.key = r.account),
      r.outcome, r.reason, r.tappedAt, :now, ${result},
      iif(${OWN_ATTEMPT}, d.leased_at, NULL), iif(${OWN_ATTEMPT}, d.acked_at, NULL)
    FROM r JOIN deliveries d ON d.campaign = r.campaign AND d.phone = r.phone
    WHERE ${which} AND ${FENCE}`;
}

/** Returns report items in the form of :items. */
export function toItemsJson(items: readonly ReportItem[]): string {
  return JSON.stringify(
    items.map((item) => FIELDS.map((field) => field === "phone" ? toDigits(item.phone) : item[field])),
  );
}
