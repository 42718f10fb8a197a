/** Records of the people whom a site reached in the lost time of a restored database. */
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
export const KEEPS_REACHES = `((SELECT answered_generation FROM sites WHERE id = :site)
    IS NOT (SELECT value FROM system WHERE key = 'generation')
  AND (SELECT count(*) FROM lost_reaches WHERE site = :site) < ${MOST_OF_A_SITE})`;

const IS_AFTER_BACKUP = `:tappedAt > coalesce(
    (SELECT CAST(value AS INTEGER) FROM system WHERE key = '${REACHED_SINCE_KEY}'), 0) - ${MARGIN_MS}`;
/**
 * SQL: the row of an attempt whose end the backup knew. A lease that the backup knew may have ended in the lost time.
 * Its row is unknown by now: the journal no longer held it at hello, or its site was silent for a day before.
 */
const KNOWS_END = `(state IN ('sent', 'failed') OR (state = 'unknown' AND by <> ${MOVED_BY.journalLost}
    AND NOT (by = ${MOVED_BY.clockOrRevoked} AND ${IS_AFTER_BACKUP})))`;

/**
 * Run it before the row changes. Reaches that the backup already knew were not lost. If it has no row for the person,
 * only the time decides.
 */
export const REACHED = `INSERT INTO lost_reaches (client, phone, site, at)
  SELECT coalesce((SELECT client FROM campaigns WHERE id = :campaign),
      (SELECT client FROM lost_campaigns WHERE id = :campaign), 0), :phone, :site, :now
  WHERE :keeps AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone
      AND token = :token AND ${KNOWS_END})
    AND (EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone) OR ${IS_AFTER_BACKUP})
  ON CONFLICT (client, phone) DO UPDATE SET at = excluded.at`;
