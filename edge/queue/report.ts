import type { EdgeFrameOf, ReportItem } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { checkCampaigns } from "../health/check_campaigns.ts";
import { heardAndMark, sealMark } from "./database_mark.ts";
import { FENCE, PULLED_CAMPAIGN, type SiteConnection, SupersededError } from "./fence.ts";
import { isImpossible, KEEP_PACE } from "./impossible_taps.ts";
import { leaseDeliveries, type LeaseRequest, preparePull } from "./lease.ts";
import { reportLate, type ReportResult } from "./late_report.ts";
import { OUTCOMES_RECEIVED } from "../deliveries/outcomes_owed.ts";
import { keepAttempts, outcomes, outcomeUpdate, sentUpdate, toItemsJson } from "./outcome_update.ts";
import { progressWhere } from "../events/progress_event.ts";
import { statement } from "../db/statement.ts";
import { writeBatch } from "../db/write_batch.ts";
import { toDigits } from "../numbers/wire_phone.ts";

export type ReportAckFrame = EdgeFrameOf<"reportAck">;

export interface Report extends SiteConnection {
  seq: number;
  journalCounter: number;
  items: readonly ReportItem[];
  /** Devices for which the site wants work. */
  asks?: LeaseRequest["devices"] | undefined;
}

/** SQL condition: the outcome `r` of `row` is applied at once, if it belongs to the row's own lease. */
const TAKEN = (row: string, outcome = "r.outcome") =>
  `${row}.state = 'leased' AND ${OUTCOMES_RECEIVED} AND NOT ${isImpossible(row, outcome, "r.edgeAt")}`;
// No row for an item = it is no longer leased under that token; its own site may still know better.
const APPLY = outcomeUpdate(TAKEN("deliveries"));
const APPLY_SENT = sentUpdate(TAKEN("deliveries", "'sent'"));
// Exactly the rows that APPLY is about to move, except the success of a first try.
const KEEP = keepAttempts(
  `${TAKEN("d")} AND d.token = r.token AND d.site = :site AND NOT (r.outcome = 'sent' AND r.attempt = 1)`,
  "'applied'",
);
/** A site's reasons for an account that the app itself has stopped. */
const BAN_REASONS: readonly (string | null)[] = ["account_banned", "account_restricted"];
// A ban moves its work to others once; the breaker judges how often that happened to a campaign. Only a row that this
// report moves proves which account held work: otherwise any site could name any campaign.
const BANS = `WITH ${outcomes(["campaign", "phone", "token", "outcome", "reason", "edgeAt"])}
  INSERT OR IGNORE INTO campaign_bans (campaign, account, at)
  SELECT d.campaign, d.account, :now FROM r JOIN deliveries d ON d.campaign = r.campaign AND d.phone = r.phone
  WHERE r.reason IN (${BAN_REASONS.map((reason) => `'${reason}'`).join(", ")})
    AND d.account IS NOT NULL AND d.token = r.token AND d.site = :site AND ${TAKEN("d")} AND ${FENCE}`;
const PROGRESS = progressWhere(
  `id IN (SELECT value FROM json_each(:campaigns)) AND updated_at = :now AND ${FENCE}`,
);
// Covers the applied rows and the rows leased after them, which nearly always belong to the same campaign.
const PROGRESS_OF_BOTH = progressWhere(
  `id IN (SELECT value FROM json_each(:campaigns) UNION ALL SELECT ${PULLED_CAMPAIGN}) AND updated_at = :now AND ${FENCE}`,
);

/**
 * Applies a site's report about its deliveries; the same report again changes nothing. Every result lets the site
 * forget the item:
 * - `applied`
 * - `known`: already so, or nothing new
 * - `stale`: not this site's to report
 *
 * After that it leases the requested work, as a pull does. If all outcomes were applied, which is nearly always, both
 * share one transaction.
 *
 * A site that still owes outcomes to a restored database gets an answer without items: nothing is applied, and the
 * site forgets nothing.
 *
 * @throws SupersededError
 */
export async function reportOutcomes(ctx: EdgeContext, report: Report): Promise<ReportAckFrame> {
  const now = ctx.now();
  const items = [...new Map(report.items.map((item) => [keyOf(item), item])).values()];
  const hasBans = items.some((item) => BAN_REASONS.includes(item.reason));
  const campaigns = new Set(items.map((item) => item.campaign));
  const { site, epoch, asks: devices = [] } = report;
  const args = {
    site,
    epoch,
    now,
    items: toItemsJson(items),
    campaigns: JSON.stringify([...campaigns]),
  };
  const isAllSent = items.every((item) => item.outcome === "sent");
  const hasEvidence = !isAllSent || items.some((item) => item.attempt > 1);
  const asked = devices.length > 0 ? { site, epoch, devices } : null;
  const pull = asked && !hasEvidence
    ? preparePull(ctx, asked, now, { step: "applied", reported: items.length })
    : null;
  const moves = {
    paceKept: statement(KEEP_PACE, args),
    bansCounted: hasBans ? statement(BANS, args) : undefined,
    evidenceKept: hasEvidence ? statement(KEEP, args) : undefined,
    applied: statement(isAllSent ? APPLY_SENT : APPLY, args),
  };
  const ending = {
    progressEvent: statement(pull ? PROGRESS_OF_BOTH : PROGRESS, args),
    heard: heardAndMark({ site, epoch }, now, report.journalCounter),
  };
  const withPull = pull && await writeBatch(ctx.db, { ...moves, ...pull.steps, ...ending });
  const { applied, heard } = withPull ?? await writeBatch(ctx.db, { ...moves, ...ending });
  if (heard.rows.length === 0) throw new SupersededError(report);
  // The site still reports its lost time to a restored database. Frames that it sent earlier do not include these
  // outcomes. They would put them in doubt again, after the site has forgotten them.
  if (!heard.rows[0].outcomes_received) return { type: "reportAck", seq: report.seq, items: [] };
  const results = new Map<string, ReportResult>(
    applied.rows.map((row) => [`${row.token} ${row.phone}`, "applied"]),
  );
  const rest = items.filter((item) => !results.has(keyOf(item)));
  for (const [item, result] of await reportLate(ctx, report, rest)) results.set(keyOf(item), result);
  ctx.wakeOutbox();
  // The tick finds the same within seconds. Checking here limits what a fast fleet sends meanwhile.
  if (hasEvidence) await checkCampaigns(ctx, [...campaigns]);
  const lease = pull && withPull && rest.length === 0
    ? await pull.finish(withPull)
    : asked && await leaseDeliveries(ctx, asked);
  return {
    type: "reportAck",
    seq: report.seq,
    items: items.map((item) => ({
      token: item.token,
      phone: item.phone,
      result: results.get(keyOf(item)) ?? "stale",
    })),
    ...(lease && { lease }),
    ...sealMark(ctx, heard),
  };
}

function keyOf(item: ReportItem): string {
  return `${item.token} ${toDigits(item.phone)}`;
}
