import { MOVED_BY } from "shared/delivery.ts";
import { SILENCE_LIMIT_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { settle } from "../deliveries/settle.ts";
import { moveSlice } from "./move_slice.ts";

const DUE = "SELECT id FROM deliveries WHERE state = 'leased' AND acked_at < :limit LIMIT :slice";
const SETTLE = `UPDATE deliveries SET
    ${settle({ state: "'unknown'", by: MOVED_BY.clockOrRevoked, reason: "'site_silent'" })}, updated_at = :now
  WHERE id IN (${DUE}) RETURNING campaign`;

/** Marks as unknown the rows that a silent site has held for SILENCE_LIMIT_MS; returns how many, at most a slice. */
export function settleSilent(ctx: EdgeContext): Promise<number> {
  const now = ctx.now();
  return moveSlice(ctx, DUE, SETTLE, { now, limit: now - SILENCE_LIMIT_MS });
}
