import type { EdgeContext } from "../context.ts";
import { capacityArgs, capacityTables } from "../health/capacity.ts";
import { moveSlice } from "./move_slice.ts";
import { ANSWERS, canShowImageOf, leftArgs, ROOM } from "./senders.ts";

/**
 * Rows of a running campaign that are left for an account which is no longer usable. A ban, a rest or a stop frees its
 * rows at once, by a rule of the database (`edge/db/rules/18_senders.sql`). Silence and a full day change no row, so
 * they are found here.
 */
const LEFT_IN_VAIN = `WITH waiting AS MATERIALIZED (
    SELECT w.campaign, w.awaits FROM campaigns c CROSS JOIN deliveries w
      ON w.campaign = c.id AND w.awaits IS NOT NULL AND w.not_before > :now
    WHERE c.status IN ('processing', 'active') GROUP BY w.campaign, w.awaits),
  ${capacityTables("a.device IN (SELECT o.device FROM waiting JOIN accounts o ON o.id = waiting.awaits)")}
  SELECT w.id FROM waiting CROSS JOIN deliveries w
    ON w.campaign = waiting.campaign AND w.awaits = waiting.awaits AND w.not_before > :now
  WHERE w.state = 'queued' AND NOT EXISTS (
    SELECT 1 FROM account_rooms r JOIN devices d ON d.id = r.device JOIN sites s ON s.id = r.site
    WHERE r.id = waiting.awaits AND ${ROOM} > 0 AND ${ANSWERS}
      AND ${canShowImageOf("waiting.campaign")})
  LIMIT :slice`;
const FREE = `UPDATE deliveries SET not_before = 0 WHERE id IN (${LEFT_IN_VAIN}) RETURNING campaign`;

/** Ends the waits for senders that fell silent or filled their day since. Returns how many, at most a slice. */
export function freeLeft(ctx: EdgeContext): Promise<number> {
  const now = ctx.now();
  return moveSlice(ctx, LEFT_IN_VAIN, FREE, { now, ...capacityArgs(now), ...leftArgs(now) });
}
