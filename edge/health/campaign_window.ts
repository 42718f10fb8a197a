/** The last outcomes of running campaigns, from counters and marks, without counting deliveries. */
import type { ResultSet } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { condition, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { readBatch } from "../db/write_batch.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { statement } from "../db/statement.ts";
import { type BreakerLimits, type OutcomeWindow, WINDOW_OUTCOMES, without } from "./breaker.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { IS_TRUSTED } from "./trust.ts";

/** A mark is written after each this many new outcomes. */
const MARK_STEP = 20;
/** SQL: how many deliveries of `campaigns` have an outcome. */
export const OUTCOMES_NOW = "sent_count + failed_count + unknown_count";

export interface RunningCampaign {
  id: number;
  name: string;
  window: OutcomeWindow;
  /** The start of the window; 0 = the start of the campaign. */
  since: number;
  /** Outcomes since it was sent. */
  all: OutcomeWindow;
  /**
   * Accounts banned while they held work of it, since it last started or resumed. A site's unconfirmed accounts count
   * as one, because the site could have invented them.
   */
  bans: number;
  /** Its pilot wave is over, and so is the wait after it. With several texts the rest waits for a person instead. */
  isPilotDue: boolean;
}

// After a restore, outcomes that seem lost are reported a moment later. Until then the counts mean nothing, and nothing
// is sent.
const WINDOWS =
  `SELECT c.id, c.name, ${OUTCOMES_NOW} AS outcomes, c.failed_count, c.unknown_count, c.opted_out_count,
    coalesce(m.outcomes, 0) AS "fromOutcomes", coalesce(m.failed, 0) AS "fromFailed",
    coalesce(m.unknown, 0) AS "fromUnknown", coalesce(m.opted_out, 0) AS "fromOptedOut",
    coalesce(m.at, 0) AS since,
    (SELECT count(DISTINCT iif(${IS_TRUSTED}, 'account ' || a.id, 'site ' || a.site))
      FROM campaign_bans b JOIN accounts a ON a.id = b.account WHERE b.campaign = c.id) AS bans,
    c.pilot_until <= :now AND c.variant_count IS NULL AS "isPilotDue"
  FROM campaigns c LEFT JOIN campaign_marks m ON m.campaign = c.id AND m.outcomes = coalesce(
    (SELECT max(outcomes) FROM campaign_marks WHERE campaign = c.id
      AND outcomes <= ${OUTCOMES_NOW} - ${WINDOW_OUTCOMES}),
    (SELECT min(outcomes) FROM campaign_marks WHERE campaign = c.id))
  WHERE c.status IN ('processing', 'active') AND c.test_of IS NULL AND NOT ${OUTCOMES_OWED}
    AND (:campaigns IS NULL OR c.id IN (SELECT value FROM json_each(:campaigns)))`;
const FIELDS = {
  id: campaigns.id,
  name: campaigns.name,
  outcomes: wholeNumber,
  failed: campaigns.failedCount,
  unknown: campaigns.unknownCount,
  optedOut: campaigns.optedOutCount,
  fromOutcomes: wholeNumber,
  fromFailed: wholeNumber,
  fromUnknown: wholeNumber,
  fromOptedOut: wholeNumber,
  since: wholeNumber,
  bans: wholeNumber,
  isPilotDue: condition,
};
const LIMITS = `SELECT ${settingSql("breakerFailedPercent")} AS "breakerFailedPercent",
  ${settingSql("breakerUnknownPercent")} AS "breakerUnknownPercent",
  ${settingSql("breakerOptOutPercent")} AS "breakerOptOutPercent"`;

/** Returns the windows of the running campaigns, or only of those in `only`, and the shares in force. */
export async function readWindows(
  ctx: EdgeContext,
  only: readonly number[] | null,
): Promise<{ running: RunningCampaign[]; limits: BreakerLimits }> {
  const args = { now: ctx.now(), campaigns: only && JSON.stringify(only) };
  const { found, limits } = await readBatch(ctx.db, { found: statement(WINDOWS, args), limits: LIMITS });
  return { running: rowsAs(found, FIELDS).map(viewRunning), limits: viewLimits(limits) };
}

/** Returns the shares in force. */
export async function readLimits(ctx: EdgeContext): Promise<BreakerLimits> {
  return viewLimits(await ctx.db.execute(LIMITS));
}

function viewLimits(result: ResultSet): BreakerLimits {
  const [limits] = rowsAs(result, {
    breakerFailedPercent: wholeNumber,
    breakerUnknownPercent: wholeNumber,
    breakerOptOutPercent: wholeNumber,
  });
  return limits!;
}

function viewRunning(row: RowAs<typeof FIELDS>): RunningCampaign {
  const { id, name, outcomes, failed, unknown, optedOut, since, bans, isPilotDue } = row;
  const all = { outcomes, failed, unknown, optedOut };
  // A resend removes an outcome, so a counter may be below its mark.
  const window = without(all, {
    outcomes: row.fromOutcomes,
    failed: row.fromFailed,
    unknown: row.fromUnknown,
    optedOut: row.fromOptedOut,
  });
  return { id, name, window, since, all, bans, isPilotDue };
}

const LIVE = "c.status IN ('processing', 'active')";
const BEGIN = `INSERT INTO campaign_marks (campaign, outcomes, failed, unknown, opted_out)
  SELECT c.id, 0, 0, 0, 0 FROM campaigns c
  WHERE ${LIVE} AND NOT EXISTS (SELECT 1 FROM campaign_marks WHERE campaign = c.id)`;
const MARK = `INSERT INTO campaign_marks (campaign, outcomes, failed, unknown, opted_out, at)
  SELECT c.id, ${OUTCOMES_NOW}, c.failed_count, c.unknown_count, c.opted_out_count, :now FROM campaigns c
  WHERE ${LIVE} AND NOT ${OUTCOMES_OWED} AND ${OUTCOMES_NOW} >= ${MARK_STEP}
    + (SELECT max(outcomes) FROM campaign_marks WHERE campaign = c.id)`;
const MAY_GO_ON = "SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused')";
// The newest mark before the window is its start; a finished campaign needs none.
const DROP = `DELETE FROM campaign_marks WHERE outcomes < (
    SELECT max(m.outcomes) FROM campaign_marks m JOIN campaigns c ON c.id = m.campaign
    WHERE m.campaign = campaign_marks.campaign AND m.outcomes <= ${OUTCOMES_NOW} - ${WINDOW_OUTCOMES})
  OR campaign NOT IN (${MAY_GO_ON})`;
const DROP_WORDS = `DELETE FROM unconfirmed_deliveries WHERE campaign NOT IN (${MAY_GO_ON})`;

/** Records the counters of the running campaigns for later windows. */
export async function markCampaigns(ctx: EdgeContext): Promise<void> {
  await ctx.db.batch([BEGIN, statement(MARK, { now: ctx.now() }), DROP, DROP_WORDS], "write");
}
