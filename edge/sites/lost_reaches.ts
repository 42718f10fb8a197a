/** What is kept of the people whom a site reached in the time that a restored database has lost. */
import { MOVED_BY } from "shared/delivery.ts";
import { REACHED_SINCE_KEY } from "../queue/pause_untold.ts";

/** Most rows of one site: a site that invents people must not fill the table. */
const MOST_OF_A_SITE = 200_000;
/** Clocks of sites, and the database's own last sign of life, may be off by this. */
const MARGIN_MS = 60 * 60_000;

/**
 * In SQL: whether it is kept. Not from a site that was written off: what it tells later may be of people who were
 * erased since.
 */
export const KEEPS_REACHES = `((SELECT answered_generation FROM sites WHERE id = :site)
    IS NOT (SELECT value FROM system WHERE key = 'generation')
  AND (SELECT count(*) FROM lost_reaches WHERE site = :site) < ${MOST_OF_A_SITE})`;

const IS_AFTER_BACKUP = `:tappedAt > coalesce(
    (SELECT CAST(value AS INTEGER) FROM system WHERE key = '${REACHED_SINCE_KEY}'), 0) - ${MARGIN_MS}`;
/**
 * In SQL: the row of an attempt whose end the backup knew. A lease that it knew may have ended in the lost time. Its row
 * is unknown by now: the journal no longer held it at hello, or its site was silent for a day before that.
 */
const KNOWS_END = `(state IN ('sent', 'failed') OR (state = 'unknown' AND by <> ${MOVED_BY.journalLost}
    AND NOT (by = ${MOVED_BY.clockOrRevoked} AND ${IS_AFTER_BACKUP})))`;

/**
 * Run it before the row changes. What the backup knew already was not lost; where it has no row for the person, only
 * the time tells.
 */
export const REACHED = `INSERT INTO lost_reaches (client, phone, site, at)
  SELECT coalesce((SELECT client FROM campaigns WHERE id = :campaign),
      (SELECT client FROM lost_campaigns WHERE id = :campaign), 0), :phone, :site, :now
  WHERE :keeps AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone
      AND token = :token AND ${KNOWS_END})
    AND (EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone) OR ${IS_AFTER_BACKUP})
  ON CONFLICT (client, phone) DO UPDATE SET at = excluded.at`;
