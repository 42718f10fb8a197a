/**
 * Whether a phone needs a rehearsal before it gets marketing, as SQL. The site reports what was tried, so a restored
 * database learns it again with the first inventory.
 */

/**
 * SQL condition: nothing was tried with device `d`, by the site's report, and nothing that was sent from it is known
 * here. The caller leaves out sites whose setting does not ask.
 */
export const IS_UNTRIED = `(d.trial IS 'none' AND NOT EXISTS (
  SELECT 1 FROM accounts tried WHERE tried.device = d.id AND tried.last_sent_at IS NOT NULL))`;

/** SQL condition: device `d` at site `s` gets no marketing until it was rehearsed. */
export const OWES_REHEARSAL = `(s.asks_rehearsal = 1 AND ${IS_UNTRIED})`;

/** SQL condition: the site of a pull asks for rehearsals. Evaluated once per statement. Needs :site. */
export const SITE_ASKS = "(SELECT asks_rehearsal FROM sites WHERE id = :site)";
