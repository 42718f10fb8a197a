/** Outcomes of rows that are no longer leased under the token that is told: the rest of the table, row by row. */
import type { Row, Transaction } from "@libsql/client/web";
import type { ReportItem } from "shared/agent_protocol.ts";
import { MOVED_BY } from "shared/delivery.ts";
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

interface Late {
  tx: Transaction;
  item: ReportItem;
  /** The row as the transaction sees it. */
  row: Row;
  args: Record<string, string | number>;
}

const FENCED = `SELECT 1 WHERE ${FENCE}`;
const LOOK = `SELECT d.id, d.state, d.by, d.reason, d.token, d.site, d.acked_at, d.resent, c.status,
    (SELECT known FROM resends r
      WHERE r.campaign = d.campaign AND r.phone = d.phone AND r.token = :token AND r.site = :site) AS known
  FROM deliveries d JOIN campaigns c ON c.id = d.campaign WHERE d.campaign = :campaign AND d.phone = :phone`;
// Cancelling counted and refunded this row, and a later slice would have flipped it.
const FLIP = `UPDATE deliveries SET state = 'cancelled', by = 0, updated_at = :now,
    reason = (SELECT ${CANCEL_REASON} FROM campaigns c WHERE c.id = deliveries.campaign)
  WHERE id = :id AND state = 'queued'`;
const MOVE = outcomeUpdate("deliveries.id = :id");
const KEEP = keepAttempts("1");
const LEARN = `UPDATE resends SET known = :known
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND known = 0 AND ${FENCE}`;
const WAS_SENT =
  `UPDATE deliveries SET state = 'sent', by = ${MOVED_BY.site}, reason = NULL, updated_at = :now
  WHERE id = :id AND (state <> 'leased' OR acked_at IS NULL) AND ${FENCE}`;
const RECALL = recallWhere("id = :id");
/** The room in the day that the row gave back when it was said to be untapped. */
const TAKE_CAP = `INSERT INTO account_days (account, day, used)
  SELECT account, leased_day, 1 FROM deliveries WHERE id = :id AND ${FENCE}
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1`;
const DOUBT_OVER =
  `UPDATE deliveries SET state = 'failed', by = ${MOVED_BY.site}, reason = :reason, updated_at = :now
  WHERE id = :id AND state = 'unknown' AND by = ${MOVED_BY.earlierDoubt} AND ${FENCE}
    AND NOT EXISTS (SELECT 1 FROM resends WHERE campaign = :campaign AND phone = :phone AND known = 0)`;

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
  const { site, epoch } = connection;
  const { campaign, token } = item;
  const args = { site, epoch, now, campaign, token, phone: toDigits(item.phone), items: toItemsJson([item]) };
  const { rows: [row] } = await tx.execute(statement(LOOK, args));
  if (row === undefined) return "stale";
  const late: Late = { tx, item, row, args: { ...args, id: Number(row.id) } };
  // Asked before the row's own token: a row that waits to be sent again still carries that of its last attempt.
  if (row.known !== null) return await takeOfEarlier(late);
  if (row.token !== token || row.site !== site) {
    await run(late, KEEP);
    if (item.outcome === "sent") await alertLateSent(late);
    return "stale";
  }
  return await takeOfOwn(late);
}

/** The item is of an attempt that a person gave up on by sending again. */
async function takeOfEarlier(late: Late): Promise<ReportResult> {
  const { item, row } = late;
  await run(late, KEEP);
  if (row.known !== 0 || item.outcome === "unknown") return "known";
  await run(late, LEARN, { known: item.outcome === "sent" ? 2 : 1 });
  if (item.outcome !== "sent") {
    await run(late, DOUBT_OVER, { reason: item.reason });
  } else if (row.state !== "sent") {
    await run(late, WAS_SENT);
    await run(late, RECALL);
  }
  return "applied";
}

/** The item is of the row's last attempt, and the row was moved without the site. */
async function takeOfOwn(late: Late): Promise<ReportResult> {
  const { item, row } = late;
  const byPerson = row.by === MOVED_BY.person;
  const alreadySo = row.state === item.outcome && row.by === MOVED_BY.site;
  const told = alreadySo && item.outcome === "sent";
  if (!told) await run(late, KEEP);
  if (alreadySo) return "known";
  if (item.outcome === "sent") {
    const expected = row.state === "leased" || row.state === "unknown" || byPerson;
    if (!expected) await alertLateSent(late);
    if (!expected && row.state !== "failed") await run(late, TAKE_CAP);
    if (row.status === "cancelled" && row.state === "queued" && row.resent === 0) await run(late, FLIP);
    await run(late, MOVE);
    return "applied";
  }
  if (row.state === "sent" && byPerson && item.outcome !== "unknown") {
    // Not tapped after all: a person's "sent" ends in failed, never back in the queue.
    await run(late, MOVE, { items: toItemsJson([{ ...item, outcome: "failed", temporary: false }]) });
    return "applied";
  }
  if (row.state === "leased" || (row.state === "unknown" && mayMoveUnknown(item, row))) {
    await run(late, MOVE);
    return "applied";
  }
  return "known";
}

/** A doubted journal and a revoked site are believed when they say sent, and in nothing else. */
function mayMoveUnknown(item: ReportItem, { by, reason }: Row): boolean {
  if (by === MOVED_BY.journalDoubted || reason === "site_revoked") return false;
  if (item.outcome === "failed") return true;
  if (item.outcome === "void") return by !== MOVED_BY.earlierDoubt;
  return by === MOVED_BY.clockOrRevoked || by === MOVED_BY.journalLost;
}

async function alertLateSent({ tx, item, args }: Late): Promise<void> {
  const message = "אתר דיווח על הודעה שנשלחה אחרי שהמשלוח כבר עבר הלאה. נא לבדוק את האתר.";
  const alert = { code: "late_sent", message, site: Number(args.site), campaign: item.campaign };
  for (const event of alertEvents(alert, Number(args.now))) await tx.execute(event);
}

async function run({ tx, args }: Late, sql: string, more: Record<string, string | number | null> = {}) {
  await tx.execute(statement(sql, { ...args, ...more }));
}
