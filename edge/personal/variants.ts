/**
 * Several texts of a campaign, as SQL: which one a row gets. While nobody has chosen a text, each gets one at random:
 * of as many rows in a row of ids as there are texts, each gets another one, and where they begin is chance.
 */

/** SQL: the further texts of `campaigns` as a JSON array, '[]' without any. */
export const FURTHER_TEXTS = `(SELECT json_group_array(message) FROM (
  SELECT message FROM variants v WHERE v.campaign = campaigns.id ORDER BY no))`;
/** Row ids are divided by this prime, so that the products below stay whole numbers of SQLite. */
const IDS = 100_003;

/**
 * Returns SQL: the number of the text for the row `row`, which has an id.
 *
 * @param campaign returns SQL: a column of its campaign, which has several texts
 */
export function variantOf(row: string, campaign: (column: string) => string): string {
  const [count, seed, winner] = ["variant_count", "variant_seed", "winner"].map(campaign);
  // A step of a Lehmer generator.
  const chance = `((${row}.id / ${count} % ${IDS} * 7919 + ${seed}) * 48271 % 2147483647 / 65536)`;
  return `coalesce((SELECT v.variant FROM deliveries v WHERE v.id = ${row}.id), ${winner},
    1 + (${row}.id % ${count} + ${chance}) % ${count})`;
}

/**
 * Returns SQL: the fields that the row `d` must have, as JSON; null when there are none. `plain` are those of a campaign
 * with one text.
 */
export function requiredOf(campaign: (column: string) => string, plain: string): string {
  return `(CASE WHEN ${campaign("variant_count")} IS NULL THEN ${plain} ELSE (
    SELECT s.required_fields FROM sent_variants s
    WHERE s.campaign = ${campaign("id")} AND s.no = ${variantOf("d", campaign)}) END)`;
}
