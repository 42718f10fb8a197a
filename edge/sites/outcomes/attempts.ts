/** Attempts of the lost time, stored as evidence and numbered, as SQL. */

/** Most attempts of one delivery. A site that reports more lies, and the others are not stored. */
const MOST_ATTEMPTS = 50;
/** Returns an SQL condition: the delivery has room for one more. */
export const fewOf = (table: "attempts" | "resends") =>
  `(SELECT count(*) FROM ${table} f WHERE f.campaign = :campaign AND f.phone = :phone) < ${MOST_ATTEMPTS}`;
/** Changes a row when the attempt is new. */
export const KEEP_ATTEMPT = `INSERT OR IGNORE INTO attempts
    (campaign, phone, attempt, token, site, account, outcome, tapped_at, at)
  SELECT campaign, phone, :attempt, :token, :site,
    (SELECT id FROM accounts WHERE site = :site AND key = :account), :outcome, :tappedAt, :now
  FROM deliveries WHERE campaign = :campaign AND phone = :phone AND ${fewOf("attempts")}`;
/** Attempts are numbered on from the last number of the lost time. */
export const COUNT_ATTEMPT =
  `UPDATE deliveries SET attempt = max(attempt, :attempt) WHERE campaign = :campaign AND phone = :phone`;
/** Gives the row a number of its own: two attempts have the same number, and the row has the later one. */
export const NUMBER_APART = `UPDATE deliveries SET attempt = attempt + 1
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND EXISTS (SELECT 1 FROM resends r
    WHERE r.campaign = :campaign AND r.phone = :phone AND r.attempt = deliveries.attempt AND r.token <> :token)`;
