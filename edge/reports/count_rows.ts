/** Counts a campaign's rows in slices: the one source of every figure of its report. */
import { DELIVERY_STATES, type DeliveryState } from "shared/delivery.ts";
import type { CampaignCounts } from "shared/campaign.ts";
import { MOST_DIFFERENT_VALUES } from "shared/report_api.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, plainText, rowsAs, wholeNumber, wordOf } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { turnForRead } from "../time/turn_loop.ts";

/** Rows of one read: some 10 ms on a local file. */
const SLICE = 2_000;
/** The names of fields are read in each of the first slices, and then in one of so many. */
const NAMES_EVERY = 10;
/** Most names that are remembered: a campaign has rows of several files, each with up to 20. */
const MOST_NAMES = 1_000;
const BEFORE_ALL = -Number.MAX_SAFE_INTEGER;

// By number: each row keeps its place while its state moves. A forgotten number has an alias below 0.
const SLICE_OF =
  `SELECT * FROM deliveries WHERE campaign = :campaign AND phone > :after ORDER BY phone LIMIT ${SLICE}`;
// As the counters of the campaign have it (edge/queue/audit.ts): a cancel counts at once what it rewrites in slices.
const STATE =
  `CASE WHEN d.state = 'queued' AND :isCancelled AND d.resent = 0 THEN 'cancelled' ELSE d.state END`;
const HAS_OUTCOME = "d.state IN ('sent', 'failed', 'unknown')";
// The time of a tap is told by a site: it is never outside of what this edge saw.
const HOUR = `CASE WHEN ${HAS_OUTCOME}
  THEN min(max(coalesce(d.tapped_at, d.updated_at), :since), d.updated_at) / 3600000 END`;
const COUNT = `SELECT ${STATE} AS state,
    CASE WHEN d.state IN ('queued', 'leased') THEN NULL ELSE d.reason END AS reason,
    ${HOUR} AS hour,
    CASE WHEN ${HAS_OUTCOME} THEN d.account END AS account,
    CASE WHEN :field IS NULL THEN NULL
      ELSE coalesce((SELECT f.value FROM json_each(d.fields) f WHERE f.key = :field), '') END AS value,
    count(*) AS n, max(d.phone) AS last
  FROM (${SLICE_OF}) d GROUP BY 1, 2, 3, 4, 5`;
const NAMES = `SELECT DISTINCT f.key AS name FROM (${SLICE_OF}) d, json_each(d.fields) f LIMIT ${MOST_NAMES}`;
const GROUP = {
  state: wordOf<DeliveryState>(),
  reason: orNull(plainText),
  hour: orNull(wholeNumber),
  account: orNull(wholeNumber),
  value: orNull(plainText),
  n: wholeNumber,
  last: wholeNumber,
};

export interface Outcomes {
  sent: number;
  failed: number;
  unknown: number;
}

/** The sums of a campaign's rows. */
export interface CountedRows {
  total: number;
  counts: CampaignCounts;
  /** By state and reason: "failed not_on_app", "sent ". */
  byReason: Map<string, number>;
  /** By hours since 1970. */
  byHour: Map<number, Outcomes>;
  byAccount: Map<number, Outcomes>;
  /** By value of the chosen field; null without one, and when there are too many values. */
  byValue: Map<string, CampaignCounts> | null;
  hasTooManyValues: boolean;
  /** The names of the fields that rows have. */
  fields: Set<string>;
}

export interface CountChoice {
  campaign: number;
  /** Earliest time of an outcome in ms: the campaign's send. */
  since: number;
  isCancelled: boolean;
  field: string | null;
}

export const noCounts = (): CampaignCounts =>
  Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as CampaignCounts;
const noOutcomes = (): Outcomes => ({ sent: 0, failed: 0, unknown: 0 });

/**
 * Reads all rows of a campaign in slices, one in each turn of the event loop.
 *
 * @throws {HttpError} `invalid_input` after the caller `left`
 */
export async function countRows(
  ctx: EdgeContext,
  choice: CountChoice,
  left?: AbortSignal,
): Promise<CountedRows> {
  const sum: CountedRows = {
    total: 0,
    counts: noCounts(),
    byReason: new Map(),
    byHour: new Map(),
    byAccount: new Map(),
    byValue: choice.field === null ? null : new Map(),
    hasTooManyValues: false,
    fields: new Set(),
  };
  for (let after = BEFORE_ALL, slice = 0;; slice++) {
    await turnForRead();
    endIfCallerLeft(left);
    const args = { ...choice, field: sum.byValue === null ? null : choice.field, after };
    const asksNames = slice < NAMES_EVERY || slice % NAMES_EVERY === 0;
    const [counted, names] = await ctx.db.batch(
      [statement(COUNT, args), ...asksNames ? [statement(NAMES, args)] : []],
      "read",
    );
    let looked = 0;
    for (const group of rowsAs(counted!, GROUP)) {
      add(sum, group);
      looked += group.n;
      after = Math.max(after, group.last);
    }
    for (const { name } of names ? rowsAs(names, { name: plainText }) : []) {
      if (sum.fields.size < MOST_NAMES) sum.fields.add(name);
    }
    if (looked < SLICE) return sum;
  }
}

interface Group {
  state: DeliveryState;
  reason: string | null;
  hour: number | null;
  account: number | null;
  value: string | null;
  n: number;
}

function add(sum: CountedRows, { state, reason, hour, account, value, n }: Group): void {
  sum.total += n;
  sum.counts[state] += n;
  const key = `${state} ${reason ?? ""}`;
  sum.byReason.set(key, (sum.byReason.get(key) ?? 0) + n);
  if (state === "sent" || state === "failed" || state === "unknown") {
    if (hour !== null) of(sum.byHour, hour, noOutcomes)[state] += n;
    if (account !== null) of(sum.byAccount, account, noOutcomes)[state] += n;
  }
  if (sum.byValue === null || value === null) return;
  of(sum.byValue, value, noCounts)[state] += n;
  if (sum.byValue.size > MOST_DIFFERENT_VALUES) {
    sum.byValue = null;
    sum.hasTooManyValues = true;
  }
}

function of<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, value = make());
  return value;
}
