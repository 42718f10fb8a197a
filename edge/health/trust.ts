/**
 * A site's statements about its phones are not proven. Its unconfirmed accounts share one small daily cap, so that a
 * site with invented phones takes little work.
 */
import { settingSql } from "../settings/setting_sql.ts";

/**
 * SQL: true when account `a` may use its own whole daily cap, because a person confirmed it or an older release trusted
 * it.
 */
export const IS_TRUSTED = "(a.confirmed_at IS NOT NULL OR a.trusted = 1)";

// Nearly all sites have only trusted accounts: for them a lease does not read its rows again.
const HAS_UNTRUSTED =
  "EXISTS (SELECT 1 FROM accounts o WHERE o.site = :site AND o.confirmed_at IS NULL AND o.trusted = 0)";

/** Records which rows of a lease went to unconfirmed accounts: their reports are weighed by site. */
export const NOTE_GIVEN = `INSERT INTO unconfirmed_deliveries (campaign, delivery, site, account)
  SELECT l.campaign, l.id, l.site, l.account FROM deliveries l JOIN accounts a ON a.id = l.account
  WHERE l.site = :site AND l.token = :token AND l.state = 'leased' AND NOT ${IS_TRUSTED} AND ${HAS_UNTRUSTED}
  ON CONFLICT (campaign, delivery, site) DO UPDATE SET account = excluded.account`;

/**
 * Returns SQL: what the unconfirmed accounts of `site` may still take together today; none while they rest. Needs :day.
 * May be below 0.
 */
export function untrustedRoom(site: string): string {
  return `iif((SELECT unconfirmed_rest FROM sites WHERE id = ${site}) IS NOT NULL, 0,
    ${settingSql("unconfirmedPerDay")} - coalesce((SELECT sum(max(t.given, t.used)) FROM accounts u
      JOIN account_days t ON t.account = u.id AND t.day = :day
      WHERE u.site = ${site} AND u.confirmed_at IS NULL AND u.trusted = 0), 0))`;
}
