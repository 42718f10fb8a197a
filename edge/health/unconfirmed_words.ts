/** What the accounts that nobody confirmed say of a campaign, by site: the breaker weighs each site apart. */
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import type { SiteWindow } from "./breaker.ts";
import { IS_TRUSTED } from "./trust.ts";

/** Notes that :site told of a request to be removed. It runs in the transaction that counts the request. */
export const NOTE_OPT_OUT = `UPDATE unconfirmed_deliveries SET opted_out_at = :now
  WHERE campaign = :campaign AND site = :site
    AND delivery = (SELECT id FROM deliveries WHERE campaign = :campaign AND phone = :phone)`;

const TOLD_ACCOUNT = "SELECT 1 FROM accounts a WHERE a.site = :site AND a.key = :account";
/**
 * Notes a row that :site took over as it told a restored database of the lost time. An account that the site does not
 * name is trusted where the site has a trusted one.
 */
export const NOTE_TOLD = `INSERT INTO unconfirmed_deliveries (campaign, delivery, site, account)
  SELECT d.campaign, d.id, :site, (SELECT id FROM accounts WHERE site = :site AND key = :account)
  FROM deliveries d WHERE d.campaign = :campaign AND d.phone = :phone AND d.site = :site AND d.token = :token
    AND NOT EXISTS (${TOLD_ACCOUNT} AND ${IS_TRUSTED})
    AND (EXISTS (${TOLD_ACCOUNT})
      OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.site = :site AND ${IS_TRUSTED}))
  ON CONFLICT (campaign, delivery, site) DO UPDATE SET account = excluded.account`;

// A row that went on to another account is no longer this one's to judge. One that a restored database was told of has
// its site alone. Of an account that was confirmed since, everything counts as of any other.
const WORDS = `WITH given AS MATERIALIZED (
    SELECT u.site, u.delivery, u.account, u.opted_out_at FROM unconfirmed_deliveries u
    LEFT JOIN accounts a ON a.id = u.account
    WHERE u.campaign = :campaign AND (a.id IS NULL OR NOT ${IS_TRUSTED})),
  words AS (
    SELECT g.site, d.state AS word, d.updated_at AS at FROM given g JOIN deliveries d ON d.id = g.delivery
    WHERE d.site = g.site AND (d.account IS NULL OR d.account = g.account)
      AND d.state IN ('sent', 'failed', 'unknown')
    UNION ALL
    SELECT site, 'opted_out', opted_out_at FROM given WHERE opted_out_at IS NOT NULL)
  SELECT w.site, w.at < s.unconfirmed_seen_at AS is_seen, s.unconfirmed_rest IS NOT NULL AS rests,
    sum(w.word <> 'opted_out') AS outcomes, sum(w.word = 'failed') AS failed, sum(w.word = 'unknown') AS unknown,
    sum(w.word = 'opted_out') AS opted_out
  FROM words w JOIN sites s ON s.id = w.site WHERE w.at >= :since GROUP BY w.site, is_seen`;

/** A site's share of a window. */
export interface UnconfirmedWords extends SiteWindow {
  /** A person has seen them, and started the site again. */
  isSeen: boolean;
  /** Its unconfirmed accounts rest already. */
  rests: boolean;
}

/** Reads the outcomes of `campaign` since then that unconfirmed accounts told, one or two entries a site. */
export async function readUnconfirmedWords(
  ctx: EdgeContext,
  campaign: number,
  since: number,
): Promise<UnconfirmedWords[]> {
  const { rows } = await ctx.db.execute(statement(WORDS, { campaign, since }));
  return rows.map((row) => ({
    site: Number(row.site),
    isSeen: row.is_seen === 1,
    rests: row.rests === 1,
    outcomes: Number(row.outcomes),
    failed: Number(row.failed),
    unknown: Number(row.unknown),
    optedOut: Number(row.opted_out),
  }));
}
