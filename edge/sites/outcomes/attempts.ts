/** Attempts of the lost time, kept as evidence and numbered, as SQL. */

/** A site that tells more attempts of one delivery lies: they are not kept. */
const MOST_ATTEMPTS = 50;
/** SQL condition: the delivery has room for one more. */
export const fewOf = (table: "attempts" | "resends") =>
  `(SELECT count(*) FROM ${table} f WHERE f.campaign = :campaign AND f.phone = :phone) < ${MOST_ATTEMPTS}`;
/** Changes a row when the attempt is new. */
export const KEEP_ATTEMPT = `INSERT OR IGNORE INTO attempts
    (campaign, phone, attempt, token, site, account, outcome, tapped_at, at)
  SELECT campaign, phone, :attempt, :token, :site,
    (SELECT id FROM accounts WHERE site = :site AND key = :account), :outcome, :tappedAt, :now
  FROM deliveries WHERE campaign = :campaign AND phone = :phone AND ${fewOf("attempts")}`;
/** Numbers of attempts go on from where the lost time left them. */
export const COUNT_ATTEMPT =
  `UPDATE deliveries SET attempt = max(attempt, :attempt) WHERE campaign = :campaign AND phone = :phone`;
/** Gives the row, whose attempt is the later of two with one number, a number of its own. */
export const NUMBER_APART = `UPDATE deliveries SET attempt = attempt + 1
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND EXISTS (SELECT 1 FROM resends r
    WHERE r.campaign = :campaign AND r.phone = :phone AND r.attempt = deliveries.attempt AND r.token <> :token)`;
