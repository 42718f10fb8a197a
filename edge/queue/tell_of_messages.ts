/** Tells the sites of messages by call, at most once a second however many arrive. */
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import { statement } from "../db/statement.ts";

const EVERY_MS = 1_000;
/** Rows of `ticks`: when the sites may be told again, and that something came since the tick looked. */
const TOLD = "messages_told";
const UNTOLD = "messages_untold";

const NOTE = `INSERT INTO ticks (name, claimed_until) SELECT '${UNTOLD}', :now WHERE ${STEP_BEFORE_CHANGED}
  ON CONFLICT (name) DO UPDATE SET claimed_until = excluded.claimed_until`;
// A claim further ahead than any reaches comes from a clock that was set back since.
const claim = (condition: string) =>
  `INSERT INTO ticks (name, claimed_until) SELECT '${TOLD}', :now + ${EVERY_MS} WHERE ${condition}
  ON CONFLICT (name) DO UPDATE SET claimed_until = excluded.claimed_until
  WHERE claimed_until <= :now OR claimed_until > excluded.claimed_until`;
const CLAIM = claim(STEP_BEFORE_CHANGED);
const IS_UNTOLD = `EXISTS (SELECT 1 FROM ticks WHERE name = '${UNTOLD}')`;
const CLAIM_IF_UNTOLD = claim(IS_UNTOLD);
const DONE = `DELETE FROM ticks WHERE name = '${UNTOLD}' AND ${STEP_BEFORE_CHANGED}`;

/** Returns the steps that follow an accepted message; the step `after` changed a row if there is one. */
export function tellSteps(after: string, now: number) {
  return {
    noted: rightAfter(after, statement(NOTE, { now })),
    claimed: rightAfter("noted", statement(CLAIM, { now })),
    sitesEvent: rightAfter("claimed", statement(WORK_WAITING_IF_CHANGED, { now })),
  };
}

/** Tells the sites of messages that came soon after others; a tick. */
export async function tellOfMessages(ctx: EdgeContext): Promise<number> {
  // Usually there is none, and this read takes no lock.
  const { rows } = await ctx.db.execute(`SELECT 1 WHERE ${IS_UNTOLD}`);
  if (rows.length === 0) return 0;
  const args = { now: ctx.now() };
  const { claimed } = await writeBatch(ctx.db, {
    claimed: statement(CLAIM_IF_UNTOLD, args),
    sitesEvent: rightAfter("claimed", statement(WORK_WAITING_IF_CHANGED, args)),
    done: rightAfter("sitesEvent", statement(DONE, args)),
  });
  if (claimed.rowsAffected > 0) ctx.wakeOutbox();
  return 0;
}
