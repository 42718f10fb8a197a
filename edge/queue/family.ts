/**
 * The deliveries to one person for one message, as SQL: a first one, and those of campaigns that write to the same
 * people again (edge/contacts/write_again.ts). Once one of them is sent, no other is leased; while a site holds one, the
 * others wait.
 */
const originOf = (row: string) => `(SELECT v.origin FROM deliveries v WHERE v.id = ${row}.id)`;

/**
 * Returns a condition in SQL: campaign `campaign`, an expression, writes to people again, or others do so for it. Ask it
 * first: it is evaluated once, and the rows of other campaigns pay nothing.
 */
export function hasFamily(campaign: string): string {
  return `(SELECT c.again_of IS NOT NULL OR EXISTS (SELECT 1 FROM campaigns w WHERE w.again_of = c.id)
    FROM campaigns c WHERE c.id = ${campaign})`;
}

/** Returns a condition in SQL: another delivery `o` of the family of the row `row`, which has an id, is as `is` says. */
export function familyHas(row: string, is: string): string {
  return `(EXISTS (SELECT 1 FROM deliveries o WHERE o.id = ${originOf(row)} AND ${is})
    OR EXISTS (SELECT 1 FROM deliveries o
      WHERE o.origin = coalesce(${originOf(row)}, ${row}.id) AND o.id <> ${row}.id AND ${is}))`;
}

/** Returns a condition in SQL: a message of its family has reached the person of the row `row` of `campaign`. */
export function isReached(campaign: string, row: string): string {
  return `(${hasFamily(campaign)} AND ${familyHas(row, "o.state = 'sent'")})`;
}
