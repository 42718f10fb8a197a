import { MOVED_BY } from "shared/delivery.ts";
import { LEASE_TTL_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { notTapped, settle } from "../deliveries/settle.ts";
import { moveSlice } from "./move_slice.ts";

// A time further ahead than any offer reaches comes from a clock that was set back since.
const DUE = `SELECT id FROM deliveries WHERE state = 'leased' AND acked_at IS NULL AND lease_until IS NOT NULL
  AND (lease_until < :now OR lease_until > :now + ${2 * LEASE_TTL_MS}) LIMIT :slice`;
const EXPIRE = `UPDATE deliveries SET ${settle(notTapped(MOVED_BY.edge, "'offer_expired'"))},
    updated_at = :now
  WHERE id IN (${DUE}) RETURNING campaign`;

/** Queues offers again that the site never acknowledged; returns how many, at most a slice. */
export function expireLeases(ctx: EdgeContext): Promise<number> {
  return moveSlice(ctx, DUE, EXPIRE, { now: ctx.now() });
}
