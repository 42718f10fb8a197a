import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { settle } from "../deliveries/settle.ts";
import { moveSlice } from "./move_slice.ts";

// The claim skips them as well; it sees only what is due for a site that asks. A cancelled carrier's rows are refunded
// already, and flip_cancelled.ts writes their state.
const DUE = `SELECT d.id FROM deliveries d WHERE d.state = 'queued' AND d.expires_at IS NOT NULL
  AND d.expires_at <= :now
  AND (SELECT status FROM campaigns c WHERE c.id = d.campaign) IN ('processing', 'active', 'paused') LIMIT :slice`;
const EXPIRE = `UPDATE deliveries SET ${
  settle({ state: "'skipped'", by: MOVED_BY.edge, reason: "'expired'" })
}, updated_at = :now WHERE id IN (${DUE}) RETURNING campaign`;

/** Ends messages by call whose end came before they were leased, and returns how many, at most a slice. */
export function expireMessages(ctx: EdgeContext): Promise<number> {
  return moveSlice(ctx, DUE, EXPIRE, { now: ctx.now() });
}
