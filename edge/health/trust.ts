/**
 * What a site says of its phones is only its word. Accounts that no person confirmed share one small day, so that a
 * site that invents phones takes little of anybody's work.
 */
import { settingSql } from "../settings/setting_sql.ts";

/** In SQL: whether account `a` may use its own whole day: a person confirmed it, or it is trusted from before. */
export const IS_TRUSTED = "(a.confirmed_at IS NOT NULL OR a.trusted = 1)";

// A site whose accounts are all trusted, as nearly all are, does not look at its lease for this.
const HAS_UNTRUSTED =
  "EXISTS (SELECT 1 FROM accounts o WHERE o.site = :site AND o.confirmed_at IS NULL AND o.trusted = 0)";

/** Remembers the rows of a lease that unconfirmed accounts got: what is said of them is weighed by site. */
export const NOTE_GIVEN = `INSERT INTO unconfirmed_deliveries (campaign, delivery, site, account)
  SELECT l.campaign, l.id, l.site, l.account FROM deliveries l JOIN accounts a ON a.id = l.account
  WHERE l.site = :site AND l.token = :token AND l.state = 'leased' AND NOT ${IS_TRUSTED} AND ${HAS_UNTRUSTED}
  ON CONFLICT (campaign, delivery, site) DO UPDATE SET account = excluded.account`;

/**
 * In SQL: what the unconfirmed accounts of `site` may still take today together; nothing while they rest. Needs :day.
 * May be below 0.
 */
export function untrustedRoom(site: string): string {
  return `iif((SELECT unconfirmed_rest FROM sites WHERE id = ${site}) IS NOT NULL, 0,
    ${settingSql("unconfirmedPerDay")} - coalesce((SELECT sum(max(t.given, t.used)) FROM accounts u
      JOIN account_days t ON t.account = u.id AND t.day = :day
      WHERE u.site = ${site} AND u.confirmed_at IS NULL AND u.trusted = 0), 0))`;
}
