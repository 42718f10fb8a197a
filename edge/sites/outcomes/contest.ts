/**
 * A site's word about a row that another site holds, as SQL. It is neither believed nor dropped: if it were dropped, the
 * holder's archived `void` would queue the row again. It contests the row once; told again, or of a contested row, it is
 * evidence alone.
 */
import { MOVED_BY } from "shared/delivery.ts";
import { ADD_DOUBT, SOMEBODY } from "./doubt.ts";

/** Of `resends.doubted`. */
const CONTESTED = 2;
const OWN_DOUBT = `SELECT r.doubted FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone
  AND r.token = i.value->>'token' AND r.site = :site`;
const IS_CONTESTED = `d.state = 'unknown' AND d.site <> :site AND EXISTS (SELECT 1 FROM resends r
  WHERE r.campaign = d.campaign AND r.phone = d.phone AND r.known = 0 AND r.doubted = ${CONTESTED})`;
/** Returns, by place in :items, whether the row is `held` by another site or `contested`. */
export const LOOK_WHO_HOLDS = `SELECT i.key AS no, CASE
    WHEN d.state = 'leased' AND d.site <> :site AND (${OWN_DOUBT}) IS NULL THEN 'held'
    WHEN (${OWN_DOUBT}) = ${CONTESTED} OR (${IS_CONTESTED} AND (${OWN_DOUBT}) IS NULL) THEN 'contested' END AS hold
  FROM json_each(:items) i JOIN deliveries d
    ON d.campaign = i.value->>'campaign' AND d.phone = i.value->>'phone'`;
const OF_ROW = "campaign = :campaign AND phone = :phone";
/** What the holder has acknowledged is in doubt as well. */
export const DOUBT_HOLDER = `${ADD_DOUBT}
  SELECT campaign, phone, attempt, token, site, 0, 0, ${SOMEBODY}, :now
  FROM deliveries WHERE ${OF_ROW} AND state = 'leased' AND acked_at IS NOT NULL AND site <> :site`;
/** Puts the told attempt in doubt, under a free number. */
export const CONTEST = `${ADD_DOUBT}
  SELECT campaign, phone,
    coalesce((SELECT max(r.attempt) + 1 FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone
      HAVING sum(r.attempt = :attempt) > 0), :attempt),
    :token, :site, 0, ${CONTESTED}, ${SOMEBODY}, :now
  FROM deliveries d WHERE ${OF_ROW} AND state = 'leased' AND site <> :site`;
const NO_ATTEMPT = "0".repeat(32);
/** Leaves the row to neither attempt, since the end of one says nothing about the other. Returns it. */
export const LEAVE_OPEN =
  `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.earlierDoubt}, reason = 'earlier_attempt_open',
    token = '${NO_ATTEMPT}', resent = resent + 1, updated_at = :now,
    attempt = max(attempt, (SELECT max(r.attempt) + 1 FROM resends r WHERE r.campaign = :campaign AND r.phone = :phone))
  WHERE ${OF_ROW} AND state = 'leased' AND site <> :site
    AND EXISTS (SELECT 1 FROM resends r WHERE r.campaign = :campaign AND r.phone = :phone AND r.token = :token
      AND r.site = :site)
  RETURNING 1`;
