import type { EdgeFrame, REPORT_RESULTS, ReportItem } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { checkCampaigns } from "../health/check_campaigns.ts";
import { FENCE, heard, type SiteConnection, SupersededError } from "./fence.ts";
import { leaseDeliveries, type LeaseRequest, preparePull } from "./lease.ts";
import { reportLate } from "./late_report.ts";
import { keepAttempts, outcomeUpdate, toItemsJson } from "./outcome_update.ts";
import { progressWhere } from "./progress_event.ts";
import { statement } from "./statement.ts";
import { toDigits } from "./wire_phone.ts";

export type ReportAckFrame = Extract<EdgeFrame, { type: "reportAck" }>;
export type ReportResult = (typeof REPORT_RESULTS)[number];

export interface Report extends SiteConnection {
  seq: number;
  journalCounter: number;
  items: readonly ReportItem[];
  /** What it asks work for. */
  asks?: LeaseRequest["devices"] | undefined;
}

// No row for an item = it is not leased under that token any more: its own site may still know better.
const APPLY = outcomeUpdate("deliveries.state = 'leased'");
// Exactly what APPLY is about to move, but for a first try's success.
const KEEP = keepAttempts(
  `d.state = 'leased' AND d.token = r.token AND d.site = :site AND NOT (r.outcome = 'sent' AND r.attempt = 1)`,
  "'applied'",
);
/** A site's words for an account that the app itself has stopped. */
const BAN_REASONS: readonly (string | null)[] = ["account_banned", "account_restricted"];
// A ban moves its work to others once; how often that happened to a campaign is for the breaker to judge.
const BANS = `INSERT OR IGNORE INTO campaign_bans (campaign, account, at)
  SELECT DISTINCT b.value->>'campaign', a.id, :now FROM json_each(:banned) b
  JOIN accounts a ON a.site = :site AND a.key = b.value->>'account' WHERE ${FENCE}`;
/** Late outcomes of one transaction: each costs round trips, and a remote database ends a transaction that is long. */
const LATE_AT_ONCE = 10;
const PROGRESS = progressWhere(
  `id IN (SELECT value FROM json_each(:campaigns)) AND updated_at = :now AND ${FENCE}`,
);

/**
 * Takes what a site says of its deliveries; the same report again changes nothing. Every result lets the site
 * forget the item: `applied`, `known` (already so, or nothing to learn), `stale` (not the site's to say). What it asks
 * for is leased behind that, as a pull's is; where all went well, which is nearly always, in the same transaction.
 *
 * @throws SupersededError
 */
export async function reportOutcomes(ctx: EdgeContext, report: Report): Promise<ReportAckFrame> {
  const now = ctx.now();
  const items = [...new Map(report.items.map((item) => [keyOf(item), item])).values()];
  const banned = items.filter((item) => BAN_REASONS.includes(item.reason));
  const campaigns = new Set(items.map((item) => item.campaign));
  const args = {
    site: report.site,
    epoch: report.epoch,
    now,
    items: toItemsJson(items),
    campaigns: JSON.stringify([...campaigns]),
    banned: JSON.stringify(banned.map(({ campaign, account }) => ({ campaign, account }))),
  };
  const hasEvidence = items.some((item) => item.outcome !== "sent" || item.attempt > 1);
  const { site, epoch, asks: devices = [] } = report;
  const asked = devices.length > 0 ? { site, epoch, devices } : null;
  const pull = asked && !hasEvidence ? preparePull(ctx, asked, items.length) : null;
  const moves = hasEvidence ? [KEEP, APPLY] : [APPLY];
  const shows = banned.length > 0 ? [PROGRESS, BANS] : [PROGRESS];
  const answers = await ctx.db.batch([
    heard(report, now, report.journalCounter),
    ...moves.map((sql) => statement(sql, args)),
    ...(pull?.statements ?? []),
    ...shows.map((sql) => statement(sql, args)),
  ], "write");
  if (answers[0].rowsAffected === 0) throw new SupersededError(report);
  const applied = answers[moves.length];
  const results = new Map<string, ReportResult>(
    applied.rows.map((row) => [`${row.token} ${row.phone}`, "applied"]),
  );
  const rest = items.filter((item) => !results.has(keyOf(item)));
  for (let at = 0; at < rest.length; at += LATE_AT_ONCE) {
    const late = await reportLate(ctx, report, rest.slice(at, at + LATE_AT_ONCE));
    for (const [item, result] of late) results.set(keyOf(item), result);
  }
  ctx.wakeOutbox();
  // The tick sees the same within seconds: this keeps what a fast fleet sends meanwhile small.
  if (hasEvidence) await checkCampaigns(ctx, [...campaigns]);
  const lease = pull && rest.length === 0
    ? await pull.finish(answers.slice(1 + moves.length))
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
  };
}

function keyOf(item: ReportItem): string {
  return `${item.token} ${toDigits(item.phone)}`;
}
