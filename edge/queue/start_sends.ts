import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import { statement } from "../db/statement.ts";

// No row = nothing waits, or another instance has told the sites. A paused campaign is told of when it goes on.
const START = `UPDATE campaigns SET start_told_at = :now
  WHERE status = 'processing' AND starts_at <= :now AND start_told_at IS NULL`;
const SCREENS = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE status = 'processing' AND start_told_at = :now AND ${STEP_BEFORE_CHANGED}`;

/**
 * Tells sites and screens of campaigns whose wait after the send is over, and returns how many they are. CHOOSE itself
 * asks for the time; a missed telling delays a campaign only until the next pull.
 */
export async function startSends(ctx: EdgeContext): Promise<number> {
  const args = { now: ctx.now() };
  const { started } = await writeBatch(ctx.db, {
    started: statement(START, args),
    screensEvent: rightAfter("started", statement(SCREENS, args)),
    sitesEvent: rightAfter("screensEvent", statement(WORK_WAITING_IF_CHANGED, args)),
  });
  if (started.rowsAffected > 0) ctx.wakeOutbox();
  return started.rowsAffected;
}
