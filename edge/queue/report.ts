import type { EdgeFrame, ReportItem } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { FENCE, heard, type SiteConnection, SupersededError } from "./fence.ts";
import { reportLate } from "./late_report.ts";
import { keepAttempts, outcomeUpdate, toItemsJson } from "./outcome_update.ts";
import { progressWhere } from "./progress_event.ts";
import { statement } from "./statement.ts";
import { toDigits } from "./wire_phone.ts";

export type ReportAckFrame = Extract<EdgeFrame, { type: "reportAck" }>;
export type ReportResult = ReportAckFrame["items"][number]["result"];

export interface Report extends SiteConnection {
  seq: number;
  journalCounter: number;
  items: readonly ReportItem[];
}

// No row for an item = it is not leased under that token any more: its own site may still know better.
const APPLY = outcomeUpdate("deliveries.state = 'leased'");
const KEEP = keepAttempts("NOT (r.outcome = 'sent' AND r.attempt = 1)");
const ACCOUNTS_SENT = `UPDATE accounts SET last_sent_at = :now
  WHERE site = :site AND key IN (SELECT value FROM json_each(:accounts)) AND ${FENCE}`;
const PROGRESS = progressWhere(
  `id IN (SELECT value FROM json_each(:campaigns)) AND updated_at = :now AND ${FENCE}`,
);

/**
 * Takes what a site says of its deliveries; the same report again changes nothing. Every result lets the site
 * forget the item: `applied`, `known` (already so, or nothing to learn), `stale` (not the site's to say).
 *
 * @throws SupersededError
 */
export async function reportOutcomes(ctx: EdgeContext, report: Report): Promise<ReportAckFrame> {
  const now = ctx.now();
  const items = [...new Map(report.items.map((item) => [keyOf(item), item])).values()];
  const args = {
    site: report.site,
    epoch: report.epoch,
    now,
    items: toItemsJson(items),
    accounts: unique(items.flatMap((item) => item.outcome === "sent" && item.account ? [item.account] : [])),
    campaigns: unique(items.map((item) => item.campaign)),
  };
  const hasEvidence = items.some((item) => item.outcome !== "sent" || item.attempt > 1);
  const [spoke, applied] = await ctx.db.batch([
    heard(report, now, report.journalCounter),
    ...[APPLY, ACCOUNTS_SENT, PROGRESS, ...(hasEvidence ? [KEEP] : [])].map((sql) => statement(sql, args)),
  ], "write");
  if (spoke.rowsAffected === 0) throw new SupersededError(report);
  const results = new Map<string, ReportResult>(
    applied.rows.map((row) => [`${row.token} ${row.phone}`, "applied"]),
  );
  const rest = items.filter((item) => !results.has(keyOf(item)));
  if (rest.length > 0) {
    for (const [item, result] of await reportLate(ctx, report, rest)) results.set(keyOf(item), result);
  }
  ctx.wakeOutbox();
  return {
    type: "reportAck",
    seq: report.seq,
    items: items.map((item) => ({
      token: item.token,
      phone: item.phone,
      result: results.get(keyOf(item)) ?? "stale",
    })),
  };
}

function keyOf(item: ReportItem): string {
  return `${item.token} ${toDigits(item.phone)}`;
}

function unique(values: readonly (string | number)[]): string {
  return JSON.stringify([...new Set(values)]);
}
