import type { EdgeContext } from "../context.ts";
import { CURRENT, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { statement } from "../db/statement.ts";

// No row = superseded.
const DRAIN = `UPDATE sites SET draining = 1, last_seen_at = :now WHERE ${CURRENT}`;

/** Stops leasing to a site that is shutting down, until its next hello. @throws SupersededError */
export async function drainSite(ctx: EdgeContext, connection: SiteConnection): Promise<void> {
  const drained = await ctx.db.execute(statement(DRAIN, { ...connection, now: ctx.now() }));
  if (drained.rowsAffected === 0) throw new SupersededError(connection);
}
