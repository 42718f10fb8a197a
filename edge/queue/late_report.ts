/** Outcomes of rows that are no longer leased under the token that is told: the rest of the table, row by row. */
import type { Row, Transaction } from "@libsql/client/web";
import type { Outcome, ReportItem } from "shared/agent_protocol.ts";
import { type DeliveryState, isLegalMove, type Move, MOVED_BY, type MovedBy } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { alertEvents } from "./alert.ts";
import { FENCE, type SiteConnection, SupersededError } from "./fence.ts";
import { inTransaction } from "./in_transaction.ts";
import { CANCEL_REASON } from "./land.ts";
import { keepAttempts, outcomeUpdate, toItemsJson } from "./outcome_update.ts";
import { progressEvents } from "./progress_event.ts";
import { recallWhere } from "./recall.ts";
import type { ReportResult } from "./report.ts";
import { statement } from "./statement.ts";
import { toDigits } from "./wire_phone.ts";

/** What becomes of one outcome. */
interface Verdict {
  result: ReportResult;
  /** SQL, in order. */
  moves: readonly string[];
  /** False = a first try's success told again, which is no news. */
  isEvidence?: boolean;
  /** True = this tap ought not to have been possible. */
  isAlarming?: boolean;
}

const KNOWN: Verdict = { result: "known", moves: [] };

const FENCED = `SELECT 1 WHERE ${FENCE}`;
const LOOK =
  `SELECT d.id, d.state, d.by, d.reason, d.token, d.site, d.acked_at, d.resent, c.status, r.known, r.doubted,
    EXISTS (SELECT 1 FROM attempts a WHERE a.campaign = d.campaign AND a.phone = d.phone AND a.token = :token
      AND a.outcome = :outcome AND a.by = ${MOVED_BY.site} AND a.result = 'applied') AS was_applied
  FROM deliveries d JOIN campaigns c ON c.id = d.campaign
  LEFT JOIN resends r ON r.campaign = d.campaign AND r.phone = d.phone AND r.token = :token AND r.site = :site
  WHERE d.campaign = :campaign AND d.phone = :phone`;
// Cancelling counted and refunded this row, and a later slice would have flipped it.
const FLIP = `UPDATE deliveries SET state = 'cancelled', by = ${MOVED_BY.edge}, updated_at = :now,
    reason = (SELECT ${CANCEL_REASON} FROM campaigns c WHERE c.id = deliveries.campaign)
  WHERE id = :id AND state = 'queued'`;
const MOVE = outcomeUpdate("deliveries.id = :id");
const KEEP = keepAttempts("1", ":result");
const LEARN = `UPDATE resends SET known = :known
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND known = 0 AND ${FENCE}`;
const WAS_SENT =
  `UPDATE deliveries SET state = 'sent', by = ${MOVED_BY.site}, reason = NULL, updated_at = :now
  WHERE id = :id AND (state <> 'leased' OR acked_at IS NULL) AND ${FENCE}`;
const RECALL = recallWhere("id = :id");
/** The room in the day that the row gave back when it was said to be untapped. */
const TAKE_CAP = `INSERT INTO account_days (account, day, used)
  SELECT account, leased_day, 1 FROM deliveries WHERE id = :id AND account IS NOT NULL AND ${FENCE}
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1`;
/** The room of an unknown row that was never tapped and yet is not queued again; the trigger returns the others'. */
const RETURN_CAP = `UPDATE account_days SET used = used - 1
  WHERE (account, day) = (SELECT account, leased_day FROM deliveries
    WHERE id = :id AND state NOT IN ('queued', 'cancelled')) AND ${FENCE}`;
const DOUBT_OVER =
  `UPDATE deliveries SET state = 'failed', by = ${MOVED_BY.site}, reason = :reason, updated_at = :now
  WHERE id = :id AND state = 'unknown' AND by = ${MOVED_BY.earlierDoubt} AND ${FENCE}
    AND NOT EXISTS (SELECT 1 FROM resends WHERE campaign = :campaign AND phone = :phone AND known = 0)`;
/** Whom no attempt of the campaign can have reached counts no more for the frequency cap (resolve.ts). */
const NOT_REACHED = `DELETE FROM recipients WHERE phone = :phone AND campaign = :campaign
  AND client = (SELECT client FROM campaigns WHERE id = :campaign) AND ${FENCE}
  AND EXISTS (SELECT 1 FROM deliveries WHERE id = :id AND state NOT IN ('sent', 'unknown'))
  AND NOT EXISTS (SELECT 1 FROM resends WHERE campaign = :campaign AND phone = :phone AND known = 0)`;
/** Reasons of failed rows that were never tapped: their room may be back in the day. */
const UNTAPPED_REASONS: readonly unknown[] = ["site_away_at_end", "retries_exhausted"];

/** Takes late outcomes, in order. @throws SupersededError */
export function reportLate(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: readonly ReportItem[],
): Promise<Map<ReportItem, ReportResult>> {
  return inTransaction(ctx.db, async (tx) => {
    const now = ctx.now();
    const fenced = await tx.execute(statement(FENCED, { ...connection }));
    if (fenced.rows.length === 0) throw new SupersededError(connection);
    const results = new Map<ReportItem, ReportResult>();
    for (const item of items) results.set(item, await takeOne(tx, connection, item, now));
    const moved = items.filter((item) => results.get(item) === "applied").map((item) => item.campaign);
    if (moved.length > 0) await tx.execute(progressEvents(moved, now));
    return results;
  });
}

async function takeOne(
  tx: Transaction,
  connection: SiteConnection,
  item: ReportItem,
  now: number,
): Promise<ReportResult> {
  const { campaign, token, outcome, reason } = item;
  const place = { ...connection, now, campaign, token, phone: toDigits(item.phone) };
  const { rows: [row] } = await tx.execute(statement(LOOK, { ...place, outcome }));
  if (row === undefined) return "stale";
  const { result, moves, isEvidence = true, isAlarming = false } = judge(row, connection, item);
  // Not tapped after all: a person's "sent" ends in failed, never back in the queue.
  const told = row.state === "sent" && outcome === "void" ? { ...item, outcome: "failed" as const } : item;
  const args = { ...place, id: Number(row.id), result, reason, known: outcome === "sent" ? 2 : 1 };
  if (isEvidence) await tx.execute(statement(KEEP, { ...args, items: toItemsJson([item]) }));
  for (const sql of moves) await tx.execute(statement(sql, { ...args, items: toItemsJson([told]) }));
  if (isAlarming) await tx.batch(lateSent(connection.site, campaign, now));
  return result;
}

function judge(row: Row, { site }: SiteConnection, item: ReportItem): Verdict {
  // Asked before the row's own token: a row that waits to be sent again still carries that of its last attempt.
  if (row.known !== null) return judgeEarlier(row, item.outcome);
  if (row.token === item.token && row.site === site) return judgeOwn(row, item.outcome);
  return { result: "stale", moves: [], isAlarming: item.outcome === "sent" };
}

/** The item is of an attempt that a person gave up on by sending again. */
function judgeEarlier(row: Row, outcome: Outcome): Verdict {
  if (row.known !== 0 || outcome === "unknown") return KNOWN;
  if (outcome === "sent") {
    return { result: "applied", moves: row.state === "sent" ? [LEARN] : [LEARN, WAS_SENT, RECALL] };
  }
  return row.doubted === 1 ? KNOWN : { result: "applied", moves: [LEARN, DOUBT_OVER, NOT_REACHED] };
}

/** The item is of the row's last attempt, and the row was moved without the site. */
function judgeOwn(row: Row, outcome: Outcome): Verdict {
  const bySite = row.by === MOVED_BY.site;
  // Told again because its answer was lost: the person who has decided since knew of it.
  if (row.by === MOVED_BY.person && row.was_applied === 1) return KNOWN;
  if (row.state === outcome && bySite) return { ...KNOWN, isEvidence: outcome !== "sent" };
  if (outcome === "sent") {
    const isExpected = row.state === "leased" || row.state === "unknown" || row.by === MOVED_BY.person;
    if (isExpected) return { result: "applied", moves: [MOVE] };
    const gaveRoomBack = row.state !== "failed" || UNTAPPED_REASONS.includes(row.reason);
    const isUnflipped = row.status === "cancelled" && row.state === "queued" && row.resent === 0;
    const moves = [...(gaveRoomBack ? [TAKE_CAP] : []), ...(isUnflipped ? [FLIP] : []), MOVE];
    return { result: "applied", moves, isAlarming: true };
  }
  // From elsewhere only a restored past may lead on, and that is told in outcomes.
  const isOpen = row.state === "leased" || row.state === "unknown" || row.state === "sent";
  if (!isOpen || !isLegalMove(ownMove(row, outcome))) return KNOWN;
  const returnsRoom = row.state === "unknown" && outcome === "void";
  return { result: "applied", moves: returnsRoom ? [MOVE, RETURN_CAP] : [MOVE] };
}

/** The move an outcome asks for, before the row's campaign and earlier attempts say where it lands. */
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
