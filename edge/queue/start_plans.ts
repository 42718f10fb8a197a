import { PLAN_MISSED_MS } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { IS_BACKUP_COPY } from "../db/copy_mark.ts";
import { LEASED_BY_NEWER } from "../db/release.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import { lacksApproval } from "./approval.ts";
import { IS_OLDER_DATABASE } from "./older_database.ts";
import { awaitedArgs, SITES_UNHEARD } from "./start_wait.ts";

export const START_PLANS_EVERY_MS = 1_000;
/** Plans of one slice: a full hour is a popular time. */
const SLICE = 50;
const IS_DUE = "status = 'scheduled' AND plan_hold IS NULL AND planned_at <= :now";
const IS_MISSED = `planned_at <= :now - ${PLAN_MISSED_MS}`;
// An idle tick writes nothing.
const LOOK = `SELECT 1 FROM campaigns WHERE ${IS_DUE} AND (${IS_MISSED} OR NOT ${
  lacksApproval("campaigns")
}) LIMIT 1`;
// Too late for the words of a morning: a person decides, also if the reason was a wrong clock.
const HOLD_MISSED = `UPDATE campaigns SET plan_hold = iif(${
  lacksApproval("campaigns")
}, 'not_approved', 'missed'), updated_at = :now WHERE ${IS_DUE} AND ${IS_MISSED}`;
// An edge that stood still between its look at the clock and this statement finds that another has claimed the tick.
const IS_OVERTAKEN =
  `EXISTS (SELECT 1 FROM ticks WHERE name = 'start_plans' AND claimed_until > :now + ${START_PLANS_EVERY_MS})`;
// No row = nothing is due, another edge has started it, or it was moved or called off. A database that may be an earlier
// state of itself starts nothing: the plan may have been called off since. Assigning a counter fires the trigger that
// ends a campaign whose people were all removed.
const START =
  `UPDATE campaigns SET status = 'processing', send_at = :now, updated_at = :now, sent_count = sent_count
  WHERE id IN (SELECT id FROM campaigns WHERE ${IS_DUE} AND NOT ${IS_MISSED}
      AND NOT ${lacksApproval("campaigns")} ORDER BY planned_at, id LIMIT ${SLICE})
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = client AND u.disabled)
    AND NOT ${IS_OVERTAKEN} AND NOT (${OUTCOMES_OWED} OR ${IS_BACKUP_COPY} OR ${LEASED_BY_NEWER} OR ${IS_OLDER_DATABASE} OR ${SITES_UNHEARD})`;

/**
 * Starts the plans whose time has come, at most a slice, and lets those wait for a person that were missed by more than
 * PLAN_MISSED_MS; returns how many changed. Each starts once, whatever edges and clocks do: the start is one
 * conditional statement, and 07_legal_moves.sql refuses every other.
 */
export async function startPlans(ctx: EdgeContext): Promise<number> {
  const clock = ctx.steadyNow ?? ctx.now;
  if ((await ctx.db.execute(statement(LOOK, { now: clock() }))).rows.length === 0) return 0;
  const args = { now: clock(), ...awaitedArgs(ctx) };
  const { held, started } = await writeBatch(ctx.db, {
    held: statement(HOLD_MISSED, args),
    started: statement(START, args),
    sitesEvent: rightAfter("started", statement(WORK_WAITING_IF_CHANGED, args)),
  });
  const changed = held.rowsAffected + started.rowsAffected;
  if (changed > 0) ctx.wakeOutbox();
  return changed;
}
