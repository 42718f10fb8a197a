/** Records of the people whom a site reached in the lost time of a restored database, and of messages to them. */
import { MOVED_BY } from "shared/delivery.ts";
import { REACHED_SINCE_KEY } from "../queue/pause_unreported.ts";

/** Most rows per site: a site that invents people must not fill the table. */
const MOST_OF_A_SITE = 200_000;
/** The clocks of sites, and the database's last sign of life, may be wrong by this much. */
const MARGIN_MS = 60 * 60_000;

/**
 * SQL condition: the reach is recorded. A site that was written off is excluded: it may report people who were erased
 * since.
 */
export const KEEPS_REACHES = keepsIn("lost_reaches");
/** SQL condition like KEEPS_REACHES, for the lost campaign's message. */
export const KEEPS_MESSAGES = keepsIn("lost_messages");

function keepsIn(table: "lost_reaches" | "lost_messages"): string {
  return `((SELECT answered_generation FROM sites WHERE id = :site)
    IS NOT (SELECT value FROM system WHERE key = 'generation')
  AND (SELECT count(*) FROM ${table} WHERE site = :site) < ${MOST_OF_A_SITE})`;
}

const IS_AFTER_BACKUP = `:tappedAt > coalesce(
    (SELECT CAST(value AS INTEGER) FROM system WHERE key = '${REACHED_SINCE_KEY}'), 0) - ${MARGIN_MS}`;
/**
 * SQL: the row of an attempt whose end the backup knew. A lease that the backup knew may have ended in the lost time.
 * Its row is unknown by now: the journal no longer held it at hello, or its site was silent for a day before.
 */
const KNOWS_END = `(state IN ('sent', 'failed') OR (state = 'unknown' AND by <> ${MOVED_BY.journalLost}
    AND NOT (by = ${MOVED_BY.clockOrRevoked} AND ${IS_AFTER_BACKUP})))`;

const CLIENT = `coalesce((SELECT client FROM campaigns WHERE id = :campaign),
      (SELECT client FROM lost_campaigns WHERE id = :campaign), 0)`;

/**
 * Run it before the row changes. Reaches that the backup already knew were not lost. If it has no row for the person,
 * only the time decides.
 */
export const REACHED = `INSERT INTO lost_reaches (client, phone, site, at)
  SELECT ${CLIENT}, :phone, :site, :now
  WHERE :keeps AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone
      AND token = :token AND ${KNOWS_END})
    AND (EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone) OR ${IS_AFTER_BACKUP})
  ON CONFLICT (client, phone) DO UPDATE SET at = excluded.at`;

/**
 * Records a message that has no row here: its campaign is lost, or its recipient came to the campaign in the lost time.
 * The account must be known before.
 */
export const LOST_MESSAGE =
  `INSERT INTO lost_messages (phone, campaign, site, client, account, is_sent, tapped_at, at)
  SELECT :phone, :campaign, :site, ${CLIENT}, (SELECT id FROM accounts WHERE site = :site AND key = :account),
    :outcome = 'sent', :tappedAt, :now
  WHERE :keepsMessages AND ${IS_AFTER_BACKUP}
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone)
  ON CONFLICT (phone, campaign, site) DO UPDATE SET is_sent = max(is_sent, excluded.is_sent), at = excluded.at,
    account = iif(excluded.tapped_at > tapped_at, excluded.account, account),
    tapped_at = max(tapped_at, excluded.tapped_at)`;
