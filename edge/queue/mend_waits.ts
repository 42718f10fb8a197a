import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { MAX_SEND_AHEAD_MS } from "shared/message.ts";
import type { EdgeContext } from "../context.ts";
import { moveSlice } from "./move_slice.ts";

// A time further ahead than any wait reaches comes from a clock that was set back since.
const LONGEST_WAIT_MS = 2 * Math.max(...RETRY_DELAYS_MS);
// No clock was ahead by more: rows beyond this wait there on purpose (PARKED in shared/lease.ts).
const CENTURY_MS = 100 * 365 * 24 * 60 * 60_000;
// A message by call may wait for days, as its caller said.
const DUE = `SELECT d.id FROM campaigns c CROSS JOIN deliveries d ON d.campaign = c.id
    AND d.state = 'queued' AND d.not_before > :now + iif(c.carrier_until IS NULL, ${LONGEST_WAIT_MS}, ${
  LONGEST_WAIT_MS + MAX_SEND_AHEAD_MS
})
  WHERE c.status IN ('processing', 'active', 'paused')
    AND d.not_before < :now + ${CENTURY_MS} LIMIT :slice`;
const MEND = `UPDATE deliveries SET not_before = :now WHERE id IN (${DUE}) RETURNING campaign`;

/** Ends the waits of queued rows that a clock started while it was ahead. Returns how many, at most a slice. */
export function mendWaits(ctx: EdgeContext): Promise<number> {
  return moveSlice(ctx, DUE, MEND, { now: ctx.now() });
}
