import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";

// Naming a counter wakes the rule that derives the end (db/rules/17_campaign_end.sql).
const END = `UPDATE campaigns SET sent_count = sent_count, updated_at = :now
  WHERE status IN ('processing', 'active', 'paused') AND carrier_until <= :now AND queued_count + leased_count = 0`;

/** Ends the carriers of messages by call that had nothing left when their day ended. */
export async function endCarriers(ctx: EdgeContext): Promise<number> {
  await ctx.db.execute(statement(END, { now: ctx.now() }));
  return 0;
}
