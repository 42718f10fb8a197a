/**
 * Two attempts of a delivery that may both have been tapped, as SQL. The row keeps the later one, and the earlier one
 * moves to the resends. A later report about it is handled as after any resend (rule 12). Two causes: a person resent
 * it in the lost time, or a written-off site came back after another had replaced it.
 */
import { MOVED_BY } from "shared/delivery.ts";
import { STEP_BEFORE_CHANGED } from "../../db/write_batch.ts";
import { fewOf } from "./attempts.ts";

/** Starts a statement that puts an attempt in doubt. */
export const ADD_DOUBT =
  "INSERT OR IGNORE INTO resends (campaign, phone, attempt, token, site, known, doubted, user, at)";
/** SQL: the row, while it belongs to another attempt than the reported one. */
const OTHER = "campaign = :campaign AND phone = :phone AND NOT (token IS :token AND site IS :site)";
/** The resend's author is unknown. */
export const SOMEBODY = 0;
/** Of the reported attempt and the row's, the row's is the earlier. */
export const DOUBT_THE_ROWS = `${ADD_DOUBT}
  SELECT campaign, phone, attempt, token, site, by = ${MOVED_BY.earlierDoubt}
      OR (by <> ${MOVED_BY.journalDoubted} AND EXISTS (SELECT 1 FROM attempts a WHERE a.campaign = d.campaign
        AND a.phone = d.phone AND a.token = d.token AND a.by = ${MOVED_BY.site} AND a.outcome IN ('void', 'failed'))),
    by = ${MOVED_BY.journalDoubted}, ${SOMEBODY}, :now
  FROM deliveries d WHERE ${OTHER} AND attempt <= :attempt AND token IS NOT NULL AND site IS NOT NULL
    AND (state = 'unknown' OR (state = 'leased' AND acked_at IS NOT NULL)
      OR (state IN ('sent', 'failed') AND by = ${MOVED_BY.person}))
    AND (site <> :site OR ${fewOf("resends")})`;
/** Of the reported attempt and the row's, the reported one is the earlier. */
export const DOUBT_THIS = `${ADD_DOUBT}
  SELECT campaign, phone, :attempt, :token, :site, 0, 0, ${SOMEBODY}, :now
  FROM deliveries WHERE ${OTHER} AND attempt > :attempt AND ${fewOf("resends")}`;
/** Runs right after each of these two, which exclude each other. */
export const RESENT = `UPDATE deliveries SET resent = resent + 1
  WHERE campaign = :campaign AND phone = :phone AND ${STEP_BEFORE_CHANGED}`;
/** While an earlier attempt is in doubt, the row is unknown, unless a person decided. */
export const REOPEN =
  `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.earlierDoubt}, reason = 'earlier_attempt_open',
    updated_at = :now
  WHERE ${OTHER} AND attempt > :attempt AND by <> ${MOVED_BY.person} AND state IN ('skipped', 'cancelled', 'failed')
    AND EXISTS (SELECT 1 FROM resends r
      WHERE r.campaign = :campaign AND r.phone = :phone AND r.token = :token AND r.site = :site AND r.known = 0)`;
/** Ends the doubt about an earlier attempt that was not tapped. */
export const EARLIER_UNTAPPED = `UPDATE resends SET known = 1
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND known = 0 AND doubted <> 1`;
