/** The new state of a reported attempt's row, as SQL. */
import { MOVED_BY } from "shared/delivery.ts";
import { CANCEL_REASON, notTapped, settle } from "../../deliveries/settle.ts";
import { recallWhere } from "../../deliveries/recall.ts";

/** Recalls the row from the site that holds it under another attempt. */
export const RECALL = recallWhere("campaign = :campaign AND phone = :phone AND token <> :token");
/** Works as RECALL, unless the held attempt is a later one. */
export const RECALL_EARLIER = recallWhere(
  "campaign = :campaign AND phone = :phone AND token <> :token AND attempt <= :attempt",
);
/** The cancellation counted and refunded these rows, and a later slice would write their state. */
export const FLIP = `UPDATE deliveries SET state = 'cancelled', by = ${MOVED_BY.edge}, updated_at = :now,
    reason = (SELECT ${CANCEL_REASON} FROM campaigns c WHERE c.id = deliveries.campaign), awaits = NULL
  WHERE campaign = :campaign AND phone = :phone AND state = 'queued' AND resent = 0
    AND (SELECT status FROM campaigns c WHERE c.id = deliveries.campaign) = 'cancelled'`;
// Assigns the attempt to the row, so that a later report of the site is accepted. It returns no room, and a queued row
// stops waiting for its sender.
const ADOPT = "token = :token, site = :site, account = NULL, leased_day = NULL, awaits = NULL";
/** Changes a row unless it was sent before. */
export const SENT = `UPDATE deliveries SET state = 'sent', by = ${MOVED_BY.site}, reason = NULL, ${ADOPT},
    tapped_at = :tappedAt, updated_at = :now
  WHERE campaign = :campaign AND phone = :phone AND (state <> 'sent' OR by = ${MOVED_BY.person})`;
/**
 * The row has lost its account, so no rule notes its sender. Runs after the row became sent. A later message of the
 * same client may have had another sender since.
 */
export const NOTE_SENDER = `INSERT INTO senders (client, phone, account, campaign, at)
  SELECT c.client, d.phone, a.id, c.id, :tappedAt
  FROM deliveries d JOIN campaigns c ON c.id = d.campaign AND c.test_of IS NULL
    JOIN accounts a ON a.site = :site AND a.key = :account
  WHERE d.campaign = :campaign AND d.phone = :phone AND d.token = :token AND d.site = :site AND d.state = 'sent'
    AND d.account IS NULL
  ON CONFLICT (client, phone) DO UPDATE SET account = excluded.account, campaign = excluded.campaign, at = excluded.at
    WHERE excluded.at > at`;
/**
 * The site will report rows that it still holds under the row's own token. A later attempt of the row shows that this
 * one has ended. An answer sent twice must not take a delivery from its present holder.
 */
export const UNKNOWN =
  `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.site}, reason = 'send_not_verified',
    ${ADOPT}, tapped_at = :tappedAt, updated_at = :now
  WHERE campaign = :campaign AND phone = :phone AND attempt = :attempt
    AND (state IN ('queued', 'skipped', 'cancelled') OR (NOT (token IS :token AND site IS :site)
      AND (state = 'leased' OR (state = 'failed' AND by <> ${MOVED_BY.person}))))`;
/** The row belonged to an earlier attempt that has ended; the end of this attempt is still to be reported. */
export const TAKE_OVER = `UPDATE deliveries SET ${ADOPT}
  WHERE campaign = :campaign AND phone = :phone AND attempt = :attempt AND NOT (token = :token AND site = :site)
    AND (state = 'unknown' OR (state IN ('sent', 'failed') AND by = ${MOVED_BY.person}))`;
// The journal was not lost: it had reported the end of this attempt to the database of the lost time.
const REPORTED_BEFORE = `campaign = :campaign AND phone = :phone AND token = :token AND site = :site
    AND state = 'unknown' AND by = ${MOVED_BY.journalLost}`;
const untapped = notTapped(MOVED_BY.site, "NULL");
/** Settles the row of such an attempt by its reported end. */
export const ENDED = `UPDATE deliveries SET
    ${
  settle({
    ...untapped,
    state: `CASE :outcome WHEN 'failed' THEN 'failed' ELSE ${untapped.state} END`,
    reason: `CASE :outcome WHEN 'failed' THEN NULL ELSE ${untapped.reason} END`,
  })
}, updated_at = :now
  WHERE ${REPORTED_BEFORE}`;
