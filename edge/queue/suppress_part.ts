/** Limits how many numbers of a long list are suppressed in one transaction, which blocks the event loop that long. */
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { CONCERNED, IN_RANGE, listArgs, OF_WAITING, type Search } from "./suppress.ts";

/** Numbers without a waiting delivery: some 10 ms on a local file. */
const MOST = 5_000;
/** Searches, one for each number in each waiting campaign, or rows of a range: this many take some 10 ms. */
const MOST_LOOKS = 12_500;
/** Deliveries that are removed, at some 12 µs each. */
const MOST_TAKEN_OUT = 1_500;

const WAITING_CAMPAIGNS = `SELECT count(*) AS n FROM campaigns
  WHERE :client IN (0, client) AND queued_count + leased_count > 0`;
// These count only until the limit: in a list that waits in many campaigns each number has many deliveries.
const ROWS_OF_RANGE = `SELECT count(*) AS n FROM (SELECT 1 FROM deliveries
  WHERE ${OF_WAITING} AND ${IN_RANGE} LIMIT ${MOST_LOOKS + 1})`;
const waitingDeliveries = (search: Search) =>
  `SELECT count(*) AS n FROM (SELECT 1 FROM deliveries
  WHERE ${CONCERNED[search]} AND state IN ('queued', 'leased') LIMIT ${MOST_TAKEN_OUT + 1})`;

export interface Part {
  phones: Float64Array;
  search?: Search;
}

/**
 * Returns the first numbers of `phones`, at least one, that one transaction may suppress, and how it searches for them;
 * `client` as in Suppressions. The parts of a sorted list have separate ranges, so their whole work grows with the list
 * and with the rows of waiting campaigns, not with numbers × campaigns.
 */
export async function nextPart(
  { db }: Pick<EdgeContext, "db">,
  client: number,
  phones: Float64Array,
): Promise<Required<Part>> {
  const count = async (sql: string, args: Record<string, string | number> = {}) => {
    const { rows: [row] } = await db.execute(statement(sql, { client, ...args }));
    return Number(row!.n);
  };
  const campaigns = await count(WAITING_CAMPAIGNS);
  for (let length = Math.min(MOST, phones.length);; length = Math.ceil(length / 2)) {
    const part = phones.subarray(0, length);
    const search: Search = length * campaigns <= MOST_LOOKS ? "numbers" : "range";
    if (campaigns === 0 || length === 1) return { phones: part, search };
    const args = listArgs([...part]);
    if (search === "range" && await count(ROWS_OF_RANGE, args) > MOST_LOOKS) continue;
    if (await count(waitingDeliveries(search), args) <= MOST_TAKEN_OUT) return { phones: part, search };
  }
}
