/** Charges an attempt of the lost time to its account's room and to the hours, as SQL. */
import { STEP_BEFORE_CHANGED } from "../../db/write_batch.ts";
import { TRENDS_COUNTED } from "../../time/trends_counted.ts";

/** The update that replaces an insertion into `account_days` when the account's day has a row. */
const ONE_MORE = `ON CONFLICT (account, day) DO UPDATE SET used = used + 1, hour = max(hour, excluded.hour),
    hour_used = CASE WHEN hour > excluded.hour THEN hour_used WHEN hour = excluded.hour THEN hour_used + 1 ELSE 1 END`;
/**
 * Runs right after KEEP_ATTEMPT, so that an attempt reported twice is charged once. The charge of its lease was lost
 * with the lost time, unless the row still has the state after that lease. People added by the lost time have no
 * evidence. A site that repeats its answer is charged for them again, and its phones rest sooner.
 */
export const CHARGE = `INSERT INTO account_days (account, day, used, hour, hour_used)
  SELECT id, :day, 1, :hour, 1 FROM accounts
  WHERE (${STEP_BEFORE_CHANGED} OR NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone))
    AND site = :site AND key = :account
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone AND token = :token
      AND state IN ('leased', 'sent', 'failed', 'unknown'))
  ${ONE_MORE}`;
/**
 * Runs right after CHARGE. A slow clock gives today's attempt the date of another day. If the site does not know the
 * edge's time, the attempt takes room of both days.
 */
export const CHARGE_TODAY = `INSERT INTO account_days (account, day, used, hour, hour_used)
  SELECT id, :today, 1, :hourNow, 1 FROM accounts
  WHERE ${STEP_BEFORE_CHANGED} AND :edgeAt IS NULL AND :day <> :today AND site = :site AND key = :account
  ${ONE_MORE}`;
/**
 * Runs right after the row became sent. No trigger counts it, because the row has lost its account. No tick adds up
 * the hour in which it was sent again.
 */
export const HOUR_OF_ACCOUNT = `INSERT INTO account_hours (hour, account, sent)
  SELECT :hour, id, 1 FROM accounts WHERE ${STEP_BEFORE_CHANGED} AND site = :site AND key = :account
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + 1`;
/** Runs right after HOUR_OF_ACCOUNT, for the same message. */
export const HOUR_OF_FLEET =
  `INSERT INTO fleet_hours (hour, sent) SELECT :hour, 1 WHERE ${STEP_BEFORE_CHANGED}
  ON CONFLICT (hour) DO UPDATE SET sent = sent + 1`;
/** Runs right after HOUR_OF_FLEET, for the same message. */
export const HOUR_OF_CLIENT = `INSERT INTO client_hours (hour, client, sent)
  SELECT :hour, client, 1 FROM campaigns WHERE ${STEP_BEFORE_CHANGED} AND id = :campaign
  ON CONFLICT (hour, client) DO UPDATE SET sent = sent + 1`;
/** Runs right after HOUR_OF_CLIENT: the trends count the day of that hour again, if all its hours are still kept. */
export const DAY_AGAIN =
  `UPDATE system SET value = :hour WHERE ${STEP_BEFORE_CHANGED} AND key = '${TRENDS_COUNTED}'
  AND CAST(value AS INTEGER) > :hour AND CAST(value AS INTEGER) - ${33 * 24} < :hour`;
/** Runs right after the end of an untapped attempt. For a queued or cancelled row a trigger returns the room. */
export const RETURN_CAP = `UPDATE account_days SET used = used - 1
  WHERE ${STEP_BEFORE_CHANGED} AND :outcome = 'void' AND (account, day) = (SELECT account, leased_day FROM deliveries
    WHERE campaign = :campaign AND phone = :phone AND state NOT IN ('queued', 'cancelled'))`;
