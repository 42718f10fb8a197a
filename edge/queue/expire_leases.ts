import { MOVED_BY } from "shared/delivery.ts";
import { LEASE_TTL_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { land, notTapped } from "../deliveries/land.ts";
import { moveSlice } from "./move_slice.ts";

// Further ahead than any offer reaches = made by a clock since set back.
const DUE = `SELECT id FROM deliveries WHERE state = 'leased' AND acked_at IS NULL AND lease_until IS NOT NULL
  AND (lease_until < :now OR lease_until > :now + ${2 * LEASE_TTL_MS}) LIMIT :slice`;
const EXPIRE = `UPDATE deliveries SET ${land(notTapped(MOVED_BY.edge, "'offer_expired'"))}, updated_at = :now
  WHERE id IN (${DUE}) RETURNING campaign`;

/** Queues again what a site was offered and never acknowledged; answers how many, at most a slice. */
export function expireLeases(ctx: EdgeContext): Promise<number> {
  return moveSlice(ctx, DUE, EXPIRE, { now: ctx.now() });
}
