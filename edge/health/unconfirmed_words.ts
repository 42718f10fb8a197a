/** Reports of unconfirmed accounts about a campaign, by site: the breaker judges each site separately. */
import type { EdgeContext } from "../context.ts";
import { condition, rowsAs, wholeNumber } from "../db/query.ts";
import { unconfirmedDeliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { SiteWindow } from "./breaker.ts";
import { IS_TRUSTED } from "./trust.ts";

/** Records that :site reported a request to be removed. Runs in the transaction that counts the request. */
export const NOTE_OPT_OUT = `UPDATE unconfirmed_deliveries SET opted_out_at = :now
  WHERE campaign = :campaign AND site = :site
    AND delivery = (SELECT id FROM deliveries WHERE campaign = :campaign AND phone = :phone)`;

const NAMED_ACCOUNT = "SELECT 1 FROM accounts a WHERE a.site = :site AND a.key = :account";
/**
 * Records a row of the lost time that :site reported to a restored database. A row without a known account counts as
 * trusted if the site has a trusted account. The request of its recipient may have come along with the restore, which
 * counted it. The site reports that one again, but it is known. Site 0: a link was pressed before any site was known.
 */
export const NOTE_UNCONFIRMED =
  `INSERT INTO unconfirmed_deliveries (campaign, delivery, site, account, opted_out_at)
  SELECT d.campaign, d.id, :site, (SELECT id FROM accounts WHERE site = :site AND key = :account),
    (SELECT coalesce(r.decided_at, r.received_at) FROM replies r WHERE r.campaign = d.campaign AND r.phone = d.phone
      AND r.state = 'removed' AND r.site IN (0, :site))
  FROM deliveries d WHERE d.campaign = :campaign AND d.phone = :phone AND d.site = :site AND d.token = :token
    AND NOT EXISTS (${NAMED_ACCOUNT} AND ${IS_TRUSTED})
    AND (EXISTS (${NAMED_ACCOUNT})
      OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.site = :site AND ${IS_TRUSTED}))
  ON CONFLICT (campaign, delivery, site) DO UPDATE SET account = excluded.account,
    opted_out_at = coalesce(opted_out_at, excluded.opted_out_at)`;

// A row that moved to another account no longer counts for this one. A row reported to a restored database has only its
// site. Once an account is confirmed, all its rows count as for other accounts.
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
  SELECT w.site, w.at < s.unconfirmed_seen_at AS "isSeen", s.unconfirmed_rest IS NOT NULL AS rests,
    sum(w.word <> 'opted_out') AS outcomes, sum(w.word = 'failed') AS failed, sum(w.word = 'unknown') AS unknown,
    sum(w.word = 'opted_out') AS "optedOut"
  FROM words w JOIN sites s ON s.id = w.site WHERE w.at >= :since GROUP BY w.site, "isSeen"`;

/** A site's part of a window. */
export interface UnconfirmedWords extends SiteWindow {
  /** True when a person has seen the reports and started the site again. */
  isSeen: boolean;
  /** True when its unconfirmed accounts rest already. */
  rests: boolean;
}

/** Returns outcomes of `campaign` since that time from unconfirmed accounts, one or two entries per site. */
export async function readUnconfirmedWords(
  ctx: EdgeContext,
  campaign: number,
  since: number,
): Promise<UnconfirmedWords[]> {
  return rowsAs(await ctx.db.execute(statement(WORDS, { campaign, since })), {
    site: unconfirmedDeliveries.site,
    isSeen: condition,
    rests: condition,
    outcomes: wholeNumber,
    failed: wholeNumber,
    unknown: wholeNumber,
    optedOut: wholeNumber,
  });
}
