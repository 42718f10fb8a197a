/** Limits how many numbers of a long list are suppressed in one transaction, which blocks the event loop that long. */
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { CONCERNED } from "./suppress.ts";

/** Numbers without a waiting delivery: some 10 ms on a local file. */
const MOST = 5_000;
/** Each number is searched in every waiting campaign: this many searches take some 10 ms. */
const MOST_LOOKS = 12_500;
/** Deliveries that are removed, at some 12 µs each. */
const MOST_TAKEN_OUT = 1_500;

const WAITING_CAMPAIGNS = `SELECT count(*) AS n FROM campaigns
  WHERE :client IN (0, client) AND queued_count + leased_count > 0`;
// Counts only until the limit: in a list that waits in many campaigns each number has many deliveries.
const WAITING_DELIVERIES = `SELECT count(*) AS n FROM (SELECT 1 FROM deliveries
  WHERE ${CONCERNED} AND state IN ('queued', 'leased') LIMIT ${MOST_TAKEN_OUT + 1})`;

/**
 * Returns the first numbers of `phones`, at least one, that one transaction may suppress; `client` as in
 * Suppressions.
 */
export async function nextPart(
  ctx: Pick<EdgeContext, "db">,
  client: number,
  phones: Float64Array,
): Promise<Float64Array> {
  const count = async (sql: string, args: Record<string, string | number>) => {
    const { rows: [row] } = await ctx.db.execute(statement(sql, { client, ...args }));
    return Number(row!.n);
  };
  const campaigns = await count(WAITING_CAMPAIGNS, {});
  if (campaigns === 0) return phones.subarray(0, MOST);
  const part = phones.subarray(0, Math.max(1, Math.min(MOST, Math.floor(MOST_LOOKS / campaigns))));
  const takenOut = await count(WAITING_DELIVERIES, { phones: `[${part.join()}]` });
  if (takenOut <= MOST_TAKEN_OUT) return part;
  // A number waits once per campaign.
  return part.subarray(0, Math.max(1, Math.floor(MOST_TAKEN_OUT / campaigns)));
}
