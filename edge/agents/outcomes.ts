import type { Transaction } from "@libsql/client/web";
import type { AgentFrame } from "shared/agent_protocol.ts";
import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { FENCE, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { inTransaction } from "../queue/in_transaction.ts";
import { CANCEL_REASON } from "../queue/land.ts";
import { progressEvents } from "../queue/progress_event.ts";
import { recallWhere } from "../queue/recall.ts";
import { statement } from "../queue/statement.ts";
import { toDigits } from "../queue/wire_phone.ts";
import { WORK_WAITING } from "../queue/work_waiting.ts";

export type OutcomesFrame = Extract<AgentFrame, { type: "outcomes" }>;

const LOOK = `SELECT ${FENCE} AS fenced, (SELECT value FROM system WHERE key = 'generation') AS generation`;
const KEEP = `INSERT OR IGNORE INTO attempts
    (campaign, phone, attempt, token, site, account, outcome, tapped_at, at)
  SELECT campaign, phone, :attempt, :token, :site,
    (SELECT id FROM accounts WHERE site = :site AND key = :account), :outcome, :tappedAt, :now
  FROM deliveries WHERE campaign = :campaign AND phone = :phone`;
// Numbers of attempts go on from where the lost time left them.
const COUNT =
  `UPDATE deliveries SET attempt = max(attempt, :attempt) WHERE campaign = :campaign AND phone = :phone`;
// Cancelling counted and refunded these, and a later slice would have flipped them.
const FLIP = `UPDATE deliveries SET state = 'cancelled', by = ${MOVED_BY.edge}, updated_at = :now,
    reason = (SELECT ${CANCEL_REASON} FROM campaigns c WHERE c.id = deliveries.campaign)
  WHERE campaign = :campaign AND phone = :phone AND state = 'queued' AND resent = 0
    AND (SELECT status FROM campaigns c WHERE c.id = deliveries.campaign) = 'cancelled'`;
const RECALL = recallWhere("campaign = :campaign AND phone = :phone AND token <> :token");
// The attempt becomes the row's own: what the site says of it later is heard. Which account's day paid is lost.
const ADOPT = "token = :token, site = :site, account = NULL, leased_day = NULL";
const SENT = `UPDATE deliveries SET state = 'sent', by = ${MOVED_BY.site}, reason = NULL, ${ADOPT},
    tapped_at = :tappedAt, updated_at = :now
  WHERE campaign = :campaign AND phone = :phone AND state <> 'sent'`;
// What the site still has in hand under the row's own token it will report itself.
const UNKNOWN = `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.site}, reason = 'send_not_verified',
    ${ADOPT}, tapped_at = :tappedAt, updated_at = :now
  WHERE campaign = :campaign AND phone = :phone
    AND (state = 'queued' OR (state = 'leased' AND NOT (token = :token AND site = :site)))`;
const ANSWERED = "UPDATE sites SET answered_generation = :generation WHERE id = :site";

/**
 * Takes what a site did in the time a restored database has lost: what it sent is sent whatever the row says,
 * what it may have sent is unknown unless the row knows better, the rest is evidence. The last frame answers the
 * generation. An answer to an older generation is passed over.
 *
 * @throws SupersededError
 */
export async function takeOutcomes(
  ctx: EdgeContext,
  connection: SiteConnection,
  { generation, items, last }: OutcomesFrame,
): Promise<void> {
  const now = ctx.now();
  await inTransaction(ctx.db, async (tx) => {
    const { rows: [present] } = await tx.execute(statement(LOOK, { ...connection }));
    if (!present.fenced) throw new SupersededError(connection);
    if (present.generation !== generation) return;
    for (const item of items) await takeOne(tx, connection.site, item, now);
    if (items.length > 0) await tx.execute(progressEvents(items.map((item) => item.campaign), now));
    if (!last) return;
    await tx.execute(statement(ANSWERED, { site: connection.site, generation }));
    await tx.execute(statement(WORK_WAITING, { now }));
  });
  ctx.wakeOutbox();
}

async function takeOne(tx: Transaction, site: number, item: OutcomesFrame["items"][number], now: number) {
  const args = {
    ...item,
    site,
    now,
    phone: toDigits(item.phone),
    outcome: item.outcome === "tapping" ? "unknown" : item.outcome,
    tappedAt: item.at,
  };
  const moves = { sent: [RECALL, FLIP, SENT], unknown: [FLIP, UNKNOWN], failed: [], void: [] }[args.outcome];
  for (const sql of [KEEP, COUNT, ...moves]) await tx.execute(statement(sql, args));
}
