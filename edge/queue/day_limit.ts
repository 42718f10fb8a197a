/** The limit of a campaign's day ("up to 500 a day"), as SQL. Needs :day, the day in Israel as yyyymmdd. */
import { MAX_LEASE_ITEMS } from "shared/lease.ts";

/** SQL: how much of the present day's limit campaign `c` has used. */
export const USED_TODAY =
  "coalesce((SELECT used FROM campaign_days u WHERE u.campaign = c.id AND u.day = :day), 0)";

/** SQL condition on campaign `c`: it has no limit a day, or today some of it is left. */
export const HAS_DAY_LEFT = `(c.day_limit IS NULL OR c.day_limit > ${USED_TODAY})`;

/** Returns SQL: how many more of a campaign may go today, at most MAX_LEASE_ITEMS; 0 without a campaign. */
export function dayLeftOf(campaign: string): string {
  return `coalesce((SELECT CASE WHEN c.day_limit IS NULL THEN ${MAX_LEASE_ITEMS}
    ELSE max(0, c.day_limit - ${USED_TODAY}) END FROM campaigns c WHERE c.id = ${campaign}), 0)`;
}
