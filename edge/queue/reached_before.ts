/** Contacts of a campaign about to be sent who were reached in the lost time of a restored database. */
import type { InStatement, ResultSet } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { condition, orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { lostReaches } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** Rows of `lost_reaches` that one commit reads. */
const WINDOW = 2_000;
/** The id of an unknown client: every client is warned about its people. */
const NOBODYS = 0;

const OF = (client: string) =>
  `FROM lost_reaches r CROSS JOIN deliveries d
    ON d.campaign = c.id AND d.phone = r.phone AND d.state = 'queued' WHERE r.client = ${client}`;
/** SQL: how many contacts of campaign `c` were reached. Its cost grows with the sites' reports, not with the list. */
export const REACHED_COUNT = `(SELECT count(*) ${OF("c.client")}) + (SELECT count(*) ${OF(String(NOBODYS))}
    AND NOT EXISTS (SELECT 1 FROM lost_reaches o WHERE o.client = c.client AND o.phone = r.phone))`;

const LOOK = `SELECT ${REACHED_COUNT} AS reached, ${OUTCOMES_OWED} AS owed
  FROM campaigns c WHERE c.id = :campaign AND c.client = :client AND c.status = 'ready'`;
const NEXT =
  `SELECT phone FROM lost_reaches WHERE client = :key AND phone > :after ORDER BY phone LIMIT ${WINDOW}`;
const LAST = `SELECT max(phone) AS phone FROM (${NEXT})`;
const REMOVE = `DELETE FROM deliveries WHERE state = 'queued' AND phone IN (${NEXT}) AND campaign = (
  SELECT id FROM campaigns WHERE id = :campaign AND client = :client AND status = 'ready' AND running_import IS NULL)`;
const COUNT =
  `UPDATE campaigns SET queued_count = queued_count - ${ROWS_OF_STEP_BEFORE} WHERE id = :campaign`;

interface Campaign {
  campaign: number;
  client: number;
}

/**
 * Returns the query for the number of reached contacts in a ready campaign, and whether a site still owes its report.
 */
export function lookForReached(of: Campaign): InStatement {
  return statement(LOOK, { ...of });
}

/** Reads the result of lookForReached(). */
export function readReached(found: ResultSet): { reached: number; isOwed: boolean } {
  const [row] = rowsAs(found, { reached: wholeNumber, owed: condition });
  return { reached: row?.reached ?? 0, isOwed: row?.owed ?? false };
}

/** Removes the reached contacts from a ready campaign, in several commits that let other writers through. */
export async function leaveOutReached(ctx: EdgeContext, of: Campaign): Promise<void> {
  for (const key of [of.client, NOBODYS]) {
    for (let after = 0;;) {
      const args = { ...of, key, after };
      const { last } = await writeBatch(ctx.db, {
        last: statement(LAST, { key, after }),
        removed: statement(REMOVE, args),
        counted: rightAfter("removed", statement(COUNT, { campaign: of.campaign })),
      });
      const { phone } = rowsAs(last, { phone: orNull(lostReaches.phone) })[0]!;
      if (phone === null) break;
      after = phone;
    }
  }
}
