import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { land } from "./land.ts";
import { progressWhere } from "./progress_event.ts";
import { countRecalled, recallWhere } from "./recall.ts";
import { statement } from "./statement.ts";
import { toDigits } from "./wire_phone.ts";

export interface Suppression {
  /** "+972…". */
  phone: string;
  /** Whose messages it must not get; 0 = anyone's. */
  client: number;
  /** Where the request came from, for the list. */
  source: string;
}

export interface SuppressResult {
  /** False when the number was suppressed before. */
  added: boolean;
  /** Waiting deliveries that were skipped at once. */
  skipped: number;
  /** Deliveries a site holds, which it is asked to give up. */
  recalled: number;
}

// No row = suppressed before.
const ADD = `INSERT INTO suppressions (client, phone, source, at) VALUES (:client, :phone, :source, :now)
  ON CONFLICT (phone, client) DO NOTHING`;
const CONCERNED =
  "phone = :phone AND (:client = 0 OR (SELECT client FROM campaigns c WHERE c.id = campaign) = :client)";
// Queued rows of a cancelled campaign were counted and refunded when it was cancelled.
const SKIP = `UPDATE deliveries SET ${
  land({ state: "'skipped'", by: MOVED_BY.edge, reason: "'opted_out'" })
}, updated_at = :now
  WHERE ${CONCERNED} AND ((state = 'leased' AND acked_at IS NULL) OR (state = 'queued'
    AND (SELECT status FROM campaigns c WHERE c.id = campaign) <> 'cancelled'))`;
const RECALL = recallWhere(CONCERNED);
const PROGRESS = progressWhere(
  "updated_at = :now AND id IN (SELECT campaign FROM deliveries WHERE phone = :phone AND updated_at = :now)",
);

/** Keeps a number from ever being messaged again, by one client or by all, and takes it out of what waits. */
export async function suppressPhone(ctx: EdgeContext, suppression: Suppression): Promise<SuppressResult> {
  const args = { ...suppression, phone: toDigits(suppression.phone), now: ctx.now() };
  const [added, skipped, recalled] = await ctx.db.batch(
    [ADD, SKIP, RECALL, PROGRESS].map((sql) => statement(sql, args)),
    "write",
  );
  ctx.wakeOutbox();
  return {
    added: added.rowsAffected > 0,
    skipped: skipped.rowsAffected,
    recalled: countRecalled(recalled.rows),
  };
}
