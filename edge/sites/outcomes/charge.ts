/** What an attempt of the lost time takes from its account's room and adds to the hours, as SQL. */
import { STEP_BEFORE_CHANGED } from "../../db/write_batch.ts";

/** What an insertion into `account_days` does where the account's day has a row. */
const ONE_MORE = `ON CONFLICT (account, day) DO UPDATE SET used = used + 1, hour = max(hour, excluded.hour),
    hour_used = CASE WHEN hour > excluded.hour THEN hour_used WHEN hour = excluded.hour THEN hour_used + 1 ELSE 1 END`;
/**
 * Right after KEEP_ATTEMPT, so that an attempt told twice is paid once. The lease that paid for it is lost with its time,
 * unless the row is still where that lease led it. People whose rows the lost time added have no evidence: a site that
 * begins its answer again pays for them again, and its phones rest sooner.
 */
export const CHARGE = `INSERT INTO account_days (account, day, used, hour, hour_used)
  SELECT id, :day, 1, :hour, 1 FROM accounts
  WHERE (${STEP_BEFORE_CHANGED} OR NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone))
    AND site = :site AND key = :account
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone AND token = :token
      AND state IN ('leased', 'sent', 'failed', 'unknown'))
  ${ONE_MORE}`;
/**
 * Right after CHARGE. A slow clock dates to another day what was sent today: where the site knows no time of the edge's,
 * the attempt takes room of both days.
 */
export const CHARGE_TODAY = `INSERT INTO account_days (account, day, used, hour, hour_used)
  SELECT id, :today, 1, :hourNow, 1 FROM accounts
  WHERE ${STEP_BEFORE_CHANGED} AND :edgeAt IS NULL AND :day <> :today AND site = :site AND key = :account
  ${ONE_MORE}`;
/**
 * Right after the row was settled as sent. No trigger counts it, since the row has lost its account; and no tick adds up
 * the hour in which it was sent again.
 */
export const HOUR_OF_ACCOUNT = `INSERT INTO account_hours (hour, account, sent)
  SELECT :hour, id, 1 FROM accounts WHERE ${STEP_BEFORE_CHANGED} AND site = :site AND key = :account
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + 1`;
/** Right after HOUR_OF_ACCOUNT, of the same message. */
export const HOUR_OF_FLEET =
  `INSERT INTO fleet_hours (hour, sent) SELECT :hour, 1 WHERE ${STEP_BEFORE_CHANGED}
  ON CONFLICT (hour) DO UPDATE SET sent = sent + 1`;
/** Right after the end of an untapped attempt. Of a row that is queued or cancelled, a trigger returns the room. */
export const RETURN_CAP = `UPDATE account_days SET used = used - 1
  WHERE ${STEP_BEFORE_CHANGED} AND :outcome = 'void' AND (account, day) = (SELECT account, leased_day FROM deliveries
    WHERE campaign = :campaign AND phone = :phone AND state NOT IN ('queued', 'cancelled'))`;
