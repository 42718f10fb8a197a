/** Outcomes of rows that are no longer leased under the reported token: the rest of the table, row by row. */
import type { InStatement, Row } from "@libsql/client/web";
import type { Outcome, REPORT_RESULTS, ReportItem } from "shared/agent_protocol.ts";
import { type DeliveryState, isLegalMove, type Move, MOVED_BY, type MovedBy } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { alertEvents } from "../events/alert.ts";
import { FENCE, type SiteConnection, SupersededError } from "./fence.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { CANCEL_REASON } from "../deliveries/settle.ts";
import { isImpossible } from "./impossible_taps.ts";
import { itemField, keepAttempts, outcomeUpdate, toItemsJson } from "./outcome_update.ts";
import { progressEvents } from "../events/progress_event.ts";
import { recallWhere } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";
import { stopSiteStatements } from "./stop_site.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { toDigits } from "../numbers/wire_phone.ts";

/** The decision about one outcome. */
interface Verdict {
  result: ReportResult;
  /** SQL, in order of execution. */
  moves: readonly string[];
  /** False = the repeated success of a first try, which is nothing new. */
  isEvidence?: boolean;
  /** True = this tap should not have been possible. */
  isAlarming?: boolean;
  /** True = the claim is impossible, so the site is stopped. */
  isImpossible?: boolean;
}

const KNOWN: Verdict = { result: "known", moves: [] };
/** The reason of an impossible claim; the claim is stored and never applied. */
const IMPOSSIBLE = "impossible_report";
const IMPOSSIBLE_MESSAGE =
  "אתר דיווח על שליחה שלא ייתכן שקרתה. האתר נעצר, וההודעות שעליהן דיווח כך סומנו ״לא ידוע״.";
/** The row may have been tapped or not: a person decides. */
const TO_UNKNOWN =
  `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.site}, reason = '${IMPOSSIBLE}', awaits = NULL,
    updated_at = :now
  WHERE id = :id AND state <> 'unknown' AND NOT (state IN ('sent', 'failed') AND by = ${MOVED_BY.person}) AND ${FENCE}`;
const NOT_POSSIBLE: Verdict = { result: "applied", moves: [TO_UNKNOWN], isImpossible: true };
/** The number is no contact of the campaign. */
const NO_CONTACT: Verdict = { result: "stale", moves: [], isEvidence: false };

const HOUR_MS = 60 * 60_000;
/** Claims about foreign attempts that are stored per site and hour: a site can guess campaigns and numbers. */
const MOST_FOREIGN_AN_HOUR = 500;
/** How many of the newest attempts are searched: their table has no index by site. */
const NEWEST_ATTEMPTS = 2_000;

// No row at all = superseded. An item without a delivery has no id.
const LOOK = `WITH i AS MATERIALIZED (
    SELECT key AS no, ${itemField("value", "campaign")} AS campaign, ${itemField("value", "phone")} AS phone,
      ${itemField("value", "token")} AS token, ${itemField("value", "outcome")} AS outcome,
      ${itemField("value", "edgeAt")} AS edgeAt
    FROM json_each(:items))
  SELECT i.no, d.id, d.state, d.by, d.reason, d.token, d.site, d.acked_at, d.resent, c.status, r.known, r.doubted,
    EXISTS (SELECT 1 FROM attempts a WHERE a.campaign = i.campaign AND a.phone = i.phone AND a.token = i.token
      AND a.outcome = i.outcome AND a.by = ${MOVED_BY.site} AND a.result = 'applied') AS was_applied,
    EXISTS (SELECT 1 FROM attempts a WHERE a.campaign = i.campaign AND a.phone = i.phone AND a.token = i.token
      AND a.site = :site AND a.reason = '${IMPOSSIBLE}') AS was_impossible,
    ${isImpossible("d", "i.outcome", "i.edgeAt")} AS is_impossible,
    (SELECT sum(t.used) FROM accounts o JOIN accounts a ON a.device = o.device
      JOIN account_days t ON t.account = a.id AND t.day = d.leased_day WHERE o.id = d.account)
      >= ${settingSql("maxMessagesPerDay")} AS is_day_full,
    (SELECT count(*) FROM attempts a WHERE a.campaign = i.campaign AND a.phone = i.phone AND a.result = 'stale'
      AND a.site = :site) AS foreign_claims,
    (SELECT count(*) FROM (SELECT site, result, at FROM attempts ORDER BY id DESC LIMIT ${NEWEST_ATTEMPTS})
      WHERE site = :site AND result = 'stale' AND at > :now - ${HOUR_MS}) AS foreign_lately,
    (SELECT stop_reason FROM sites WHERE id = :site) AS stop_reason,
    (SELECT max(at) FROM (SELECT at, code, site FROM activity ORDER BY id DESC LIMIT 200)
      WHERE code = 'late_sent' AND site = :site) AS alarmed_at
  FROM i LEFT JOIN deliveries d ON d.campaign = i.campaign AND d.phone = i.phone
  LEFT JOIN campaigns c ON c.id = d.campaign
  LEFT JOIN resends r ON r.campaign = i.campaign AND r.phone = i.phone AND r.token = i.token AND r.site = :site
  WHERE ${FENCE} ORDER BY i.no`;
// The cancellation counted and refunded this row, and a later slice would write its state.
const FLIP = `UPDATE deliveries SET state = 'cancelled', by = ${MOVED_BY.edge}, updated_at = :now,
    reason = (SELECT ${CANCEL_REASON} FROM campaigns c WHERE c.id = deliveries.campaign), awaits = NULL
  WHERE id = :id AND state = 'queued'`;
const MOVE = outcomeUpdate("deliveries.id = :id");
const KEEP = keepAttempts("1", ":result");
const LEARN = `UPDATE resends SET known = :known
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND known = 0 AND ${FENCE}`;
const WAS_SENT = `UPDATE deliveries SET state = 'sent', by = ${MOVED_BY.site}, reason = NULL, awaits = NULL,
    updated_at = :now
  WHERE id = :id AND (state <> 'leased' OR acked_at IS NULL) AND ${FENCE}`;
const RECALL = recallWhere("id = :id");
/** Takes back the day's room that the row returned when it was reported as untapped. */
const TAKE_CAP = `INSERT INTO account_days (account, day, used)
  SELECT account, leased_day, 1 FROM deliveries WHERE id = :id AND account IS NOT NULL AND ${FENCE}
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1`;
/**
 * Returns the room of an unknown row that was never tapped and is not queued again; a trigger returns the room of
 * others.
 */
const RETURN_CAP = `UPDATE account_days SET used = used - 1
  WHERE (account, day) = (SELECT account, leased_day FROM deliveries
    WHERE id = :id AND state NOT IN ('queued', 'cancelled')) AND ${FENCE}`;
const DOUBT_OVER =
  `UPDATE deliveries SET state = 'failed', by = ${MOVED_BY.site}, reason = :reason, updated_at = :now
  WHERE id = :id AND state = 'unknown' AND by = ${MOVED_BY.earlierDoubt} AND ${FENCE}
    AND NOT EXISTS (SELECT 1 FROM resends WHERE campaign = :campaign AND phone = :phone AND known = 0)`;
/** A person whom no attempt of the campaign can have reached no longer counts for the frequency cap (resolve.ts). */
const NOT_REACHED = `DELETE FROM recipients WHERE phone = :phone AND campaign = :campaign
  AND client = (SELECT client FROM campaigns WHERE id = :campaign) AND ${FENCE}
  AND EXISTS (SELECT 1 FROM deliveries WHERE id = :id AND state NOT IN ('sent', 'unknown'))
  AND NOT EXISTS (SELECT 1 FROM resends WHERE campaign = :campaign AND phone = :phone AND known = 0)`;
/** Reasons of failed rows that were never tapped: the day may have got their room back. */
const UNTAPPED_REASONS: readonly unknown[] = ["site_away_at_end", "retries_exhausted"];

/** A site causes at most one alert within this time: its reports must not fill the activity list. */
const ALARM_EVERY_MS = 60_000;
/**
 * Claims about foreign attempts that are stored per delivery and site. More give no new information, and tokens are
 * endless.
 */
const MOST_FOREIGN = 20;
/** Most items per transaction, which takes four round trips: a remote database ends a long one. */
const AT_ONCE = 50;

/**
 * Applies late outcomes. Each slice is committed on its own: if the report breaks off and is repeated, the earlier
 * items are already known.
 *
 * @throws SupersededError
 */
export async function reportLate(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: readonly ReportItem[],
): Promise<Map<ReportItem, ReportResult>> {
  const results = new Map<ReportItem, ReportResult>();
  for (let left = items; left.length > 0; left = left.filter((item) => !results.has(item))) {
    if (left !== items) await turnLoop();
    const taken = await takeSlice(ctx, connection, left.slice(0, AT_ONCE));
    for (const [item, result] of taken) results.set(item, result);
  }
  return results;
}

/** Applies the items of one transaction, except items whose row an earlier item moves: the next slice decides those. */
function takeSlice(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: readonly ReportItem[],
): Promise<Map<ReportItem, ReportResult>> {
  return inTransaction(ctx.db, async (tx) => {
    const now = ctx.now();
    const { rows } = await tx.execute(statement(LOOK, { ...connection, now, items: toItemsJson(items) }));
    if (rows.length === 0) throw new SupersededError(connection);
    const results = new Map<ReportItem, ReportResult>();
    const statements: InStatement[] = [];
    const movedRows = new Set<unknown>();
    const movedCampaigns: number[] = [];
    let claimedImpossible = false;
    let alarming: ReportItem | undefined;
    for (const [no, item] of items.entries()) {
      const row = rows[no]!;
      if (movedRows.has(row.id)) continue;
      const verdict = row.id === null ? NO_CONTACT : judge(row, connection, item);
      results.set(item, verdict.result);
      claimedImpossible ||= verdict.isImpossible === true;
      if (verdict.isAlarming) alarming ??= item;
      statements.push(...statementsOf(row, connection, item, verdict, now));
      if (verdict.moves.length > 0) movedRows.add(row.id);
      if (verdict.result === "applied") movedCampaigns.push(item.campaign);
    }
    if (claimedImpossible && rows[0]!.stop_reason !== IMPOSSIBLE) {
      const stop = { site: connection.site, reason: IMPOSSIBLE, message: IMPOSSIBLE_MESSAGE } as const;
      statements.push(...stopSiteStatements(stop, now));
    }
    if (alarming && now - Number(rows[0]!.alarmed_at ?? -Infinity) >= ALARM_EVERY_MS) {
      statements.push(...lateSent(connection.site, alarming.campaign, now));
    }
    if (movedCampaigns.length > 0) statements.push(progressEvents(movedCampaigns, now));
    if (statements.length > 0) await tx.batch(statements);
    return results;
  });
}

function statementsOf(
  row: Row,
  connection: SiteConnection,
  item: ReportItem,
  { result, moves, isEvidence = true, isImpossible = false }: Verdict,
  now: number,
): InStatement[] {
  const { campaign, token, outcome, reason } = item;
  const place = { ...connection, now, campaign, token, phone: toDigits(item.phone) };
  const args = { ...place, id: Number(row.id), result, reason, known: outcome === "sent" ? 2 : 1 };
  // The row was not tapped after all: a person's "sent" becomes failed, never queued again.
  const applied = row.state === "sent" && outcome === "void" ? { ...item, outcome: "failed" as const } : item;
  const kept = isImpossible
    ? { items: toItemsJson([{ ...item, reason: IMPOSSIBLE }]), result: "stale" }
    : { items: toItemsJson([item]) };
  return [
    ...(isEvidence ? [statement(KEEP, { ...args, ...kept })] : []),
    ...moves.map((sql) => statement(sql, { ...args, items: toItemsJson([applied]) })),
  ];
}

function judge(row: Row, { site }: SiteConnection, item: ReportItem): Verdict {
  if (row.was_impossible === 1) return KNOWN;
  // Checked before the row's own token: a row that waits to be sent again still has the token of its last attempt.
  if (row.known !== null) return judgeEarlier(row, item.outcome);
  if (row.token === item.token && row.site === site) return judgeOwn(row, item.outcome);
  const isEvidence = Number(row.foreign_claims) < MOST_FOREIGN &&
    Number(row.foreign_lately) < MOST_FOREIGN_AN_HOUR;
  return { result: "stale", moves: [], isEvidence, isAlarming: item.outcome === "sent" };
}

/** Decides about an attempt that a person abandoned by sending again. */
function judgeEarlier(row: Row, outcome: Outcome): Verdict {
  if (row.known !== 0 || outcome === "unknown") return KNOWN;
  if (outcome === "sent") {
    return { result: "applied", moves: row.state === "sent" ? [LEARN] : [LEARN, WAS_SENT, RECALL] };
  }
  return row.doubted === 1 ? KNOWN : { result: "applied", moves: [LEARN, DOUBT_OVER, NOT_REACHED] };
}

/** Decides about the row's last attempt, whose row was moved without the site. */
function judgeOwn(row: Row, outcome: Outcome): Verdict {
  const bySite = row.by === MOVED_BY.site;
  // Repeated because the answer was lost: the person who decided since already knew this outcome.
  if (row.by === MOVED_BY.person && row.was_applied === 1) return KNOWN;
  if (row.state === outcome && bySite) return { ...KNOWN, isEvidence: outcome !== "sent" };
  if (row.is_impossible === 1) return NOT_POSSIBLE;
  if (outcome === "sent") {
    const isExpected = row.state === "leased" || row.state === "unknown" || row.by === MOVED_BY.person;
    if (isExpected) return { result: "applied", moves: [MOVE] };
    const gaveRoomBack = row.state !== "failed" || UNTAPPED_REASONS.includes(row.reason);
    // Its room went to others, who filled the day: the site cannot have sent this one too.
    if (gaveRoomBack && row.is_day_full === 1) return NOT_POSSIBLE;
    const isUnflipped = row.status === "cancelled" && row.state === "queued" && row.resent === 0;
    const moves = [...(gaveRoomBack ? [TAKE_CAP] : []), ...(isUnflipped ? [FLIP] : []), MOVE];
    return { result: "applied", moves, isAlarming: true };
  }
  // Other moves are possible only after a restore, and those are reported as outcomes of the lost time.
  const isOpen = row.state === "leased" || row.state === "unknown" || row.state === "sent";
  if (!isOpen || !isLegalMove(ownMove(row, outcome))) return KNOWN;
  const returnsRoom = row.state === "unknown" && outcome === "void";
  return { result: "applied", moves: returnsRoom ? [MOVE, RETURN_CAP] : [MOVE] };
}

/** Returns the move that an outcome asks for, before the row's campaign and earlier attempts decide its state. */
function ownMove(row: Row, outcome: Exclude<Outcome, "sent">): Move {
  const from = row.state as DeliveryState;
  const untapped = from === "sent" ? "failed" : "queued";
  return {
    from,
    was: Number(row.by) as MovedBy,
    acked: row.acked_at !== null,
    to: outcome === "void" ? untapped : outcome,
    by: MOVED_BY.site,
  };
}

function lateSent(site: number, campaign: number, now: number) {
  const message = "אתר דיווח על הודעה שנשלחה אחרי שהמשלוח כבר עבר הלאה. נא לבדוק את האתר.";
  return alertEvents({ code: "late_sent", message, site, campaign }, now);
}

export type ReportResult = (typeof REPORT_RESULTS)[number];
