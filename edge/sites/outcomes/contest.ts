/**
 * A site's report about a row that another site holds, as SQL. It is not simply accepted. It is not ignored
 * either, because the holder's archived `void` would then queue the row again. It contests the row once. A repeated report, or
 * one about a contested row, is only evidence.
 */
import { MOVED_BY } from "shared/delivery.ts";
import { ADD_DOUBT, SOMEBODY } from "./doubt.ts";

/** A value of `resends.doubted`. */
const CONTESTED = 2;
const OWN_DOUBT = `SELECT r.doubted FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone
  AND r.token = i.value->>'token' AND r.site = :site`;
const IS_CONTESTED = `d.state = 'unknown' AND d.site <> :site AND EXISTS (SELECT 1 FROM resends r
  WHERE r.campaign = d.campaign AND r.phone = d.phone AND r.known = 0 AND r.doubted = ${CONTESTED})`;
/** Returns, by index in :items, whether the row is `held` by another site or `contested`. */
export const LOOK_WHO_HOLDS = `SELECT i.key AS no, CASE
    WHEN d.state = 'leased' AND d.site <> :site AND (${OWN_DOUBT}) IS NULL THEN 'held'
    WHEN (${OWN_DOUBT}) = ${CONTESTED} OR (${IS_CONTESTED} AND (${OWN_DOUBT}) IS NULL) THEN 'contested' END AS hold
  FROM json_each(:items) i JOIN deliveries d
    ON d.campaign = i.value->>'campaign' AND d.phone = i.value->>'phone'`;
const OF_ROW = "campaign = :campaign AND phone = :phone";
/** Puts the holder's acknowledged attempt in doubt as well. */
export const DOUBT_HOLDER = `${ADD_DOUBT}
  SELECT campaign, phone, attempt, token, site, 0, 0, ${SOMEBODY}, :now
  FROM deliveries WHERE ${OF_ROW} AND state = 'leased' AND acked_at IS NOT NULL AND site <> :site`;
/** Puts the reported attempt in doubt, under a free number. */
export const CONTEST = `${ADD_DOUBT}
  SELECT campaign, phone,
    coalesce((SELECT max(r.attempt) + 1 FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone
      HAVING sum(r.attempt = :attempt) > 0), :attempt),
    :token, :site, 0, ${CONTESTED}, ${SOMEBODY}, :now
  FROM deliveries d WHERE ${OF_ROW} AND state = 'leased' AND site <> :site`;
const NO_ATTEMPT = "0".repeat(32);
/** Assigns the row to neither attempt, because the end of one says nothing about the other. Returns it. */
export const LEAVE_OPEN =
  `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.earlierDoubt}, reason = 'earlier_attempt_open',
    token = '${NO_ATTEMPT}', resent = resent + 1, updated_at = :now,
    attempt = max(attempt, (SELECT max(r.attempt) + 1 FROM resends r WHERE r.campaign = :campaign AND r.phone = :phone))
  WHERE ${OF_ROW} AND state = 'leased' AND site <> :site
    AND EXISTS (SELECT 1 FROM resends r WHERE r.campaign = :campaign AND r.phone = :phone AND r.token = :token
      AND r.site = :site)
  RETURNING 1`;
