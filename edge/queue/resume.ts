import { ACCOUNT_WORD_MS, PARKED } from "shared/lease.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_NOW } from "../health/campaign_window.ts";
import { HttpError } from "../http/http_error.ts";
import { type Actor, actorArgs, IS_ENABLED, MAY_ACT, refuseAct } from "./own_campaign.ts";
import type { RecallResult } from "./pause.ts";
import { rowsAs } from "../db/query.ts";
import { breakerTrips, campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import { type Signal, tripSentence } from "../text/trip_words.ts";

// No row = another client's campaign, or not paused. Also no row = an administrator paused it and a client resumes, or
// a breaker paused it and its reason was not named. After a stopped pilot wave, naming the reason sends the rest.
const RESUME = `UPDATE campaigns SET paused_by = NULL, updated_at = :now,
    pilot_last = iif(trip IS NOT NULL AND pilot_until IS NOT NULL AND variant_count IS NULL, NULL, pilot_last),
    pilot_until = iif(trip IS NOT NULL, NULL, pilot_until), trip = NULL,
    status = CASE WHEN first_acked_at IS NULL THEN 'processing' ELSE 'active' END
  WHERE id = :campaign AND ${MAY_ACT} AND status = 'paused' AND (:isAdmin OR paused_by IS NOT 'admin')
    AND (trip IS NULL OR trip = :trip) AND ${IS_ENABLED}
  RETURNING status`;
const IS_LIVE = `EXISTS (SELECT 1 FROM campaigns c WHERE c.id = :campaign AND ${MAY_ACT}
  AND c.status IN ('processing', 'active'))`;
const RELEASE = `UPDATE breaker_trips SET released_at = :now, released_by = :user
  WHERE id = :trip AND campaign = :campaign AND released_at IS NULL AND ${IS_LIVE}`;
// After a breaker's pause, only outcomes from now on are judged. After a person's pause, the judgement does not
// change.
const IS_RELEASED =
  "EXISTS (SELECT 1 FROM breaker_trips WHERE id = :trip AND campaign = :campaign AND released_at = :now)";
const FORGET_BANS = `DELETE FROM campaign_bans WHERE campaign = :campaign AND ${IS_RELEASED}`;
const FORGET_MARKS = `DELETE FROM campaign_marks WHERE campaign = :campaign AND ${IS_RELEASED}`;
const MARK = `INSERT INTO campaign_marks (campaign, outcomes, failed, unknown, opted_out, at)
  SELECT id, ${OUTCOMES_NOW}, failed_count, unknown_count, opted_out_count, :now FROM campaigns
  WHERE id = :campaign AND ${IS_RELEASED}`;
// A person who resumes also agrees to go on without the account that the work was kept for.
const FREE_PARKED = `UPDATE deliveries SET not_before = 0
  WHERE campaign = :campaign AND state = 'queued' AND not_before > :now
    AND (not_before = ${PARKED} OR not_before = updated_at + ${ACCOUNT_WORD_MS}) AND ${IS_LIVE}`;
// Meanwhile no sender could ask: the next pulls look again.
const LEAVE_AGAIN = `UPDATE deliveries SET not_before = 0, awaits = NULL
  WHERE campaign = :campaign AND state = 'queued' AND awaits IS NOT NULL AND ${IS_LIVE}`;
const AFTER_RESUME = [RELEASE, FORGET_BANS, FORGET_MARKS, MARK, FREE_PARKED, LEAVE_AGAIN];
const LOOK = `SELECT c.status, c.paused_by, t.id, t.signal, t.count, t.sample
  FROM campaigns c JOIN breaker_trips t ON t.id = c.trip WHERE c.id = :campaign AND ${MAY_ACT}`;

const HELD_BY_ADMIN = "הקמפיין הושהה על ידי מנהל המערכת, ורק מנהל יכול להמשיך אותו.";

/**
 * Lets a paused campaign go on where it was. After an administrator's pause only an administrator may do this. After
 * a breaker's pause the person must name the breaker's reason (`trip`), and so has seen it.
 *
 * @throws HttpError not_found, campaign_state, reason_not_confirmed
 */
export async function resumeCampaign(
  ctx: EdgeContext,
  actor: Actor,
  campaign: number,
  trip: number | null = null,
): Promise<RecallResult> {
  const args = { now: ctx.now(), campaign, ...actorArgs(actor), trip };
  const data = trip === null ? {} : { trip };
  const note = { kind: "campaign_resumed" as const, actor: actor.id, campaign, data };
  const { resumed } = await writeBatch(ctx.db, {
    resumed: statement(RESUME, args),
    audited: rightAfter("resumed", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    sitesEvent: rightAfter("audited", statement(WORK_WAITING_IF_CHANGED, args)),
    goneOn: AFTER_RESUME.map((sql) => statement(sql, args)),
  });
  const [row] = rowsAs(resumed, { status: campaigns.status });
  if (row === undefined) return await refuse(ctx, actor, campaign);
  ctx.wakeOutbox();
  return { status: row.status, changed: 0, recalled: 0 };
}

async function refuse(ctx: EdgeContext, actor: Actor, campaign: number): Promise<never> {
  const found = await ctx.db.execute(statement(LOOK, { campaign, ...actorArgs(actor) }));
  const [row] = rowsAs(found, {
    status: campaigns.status,
    pausedBy: campaigns.pausedBy,
    signal: breakerTrips.signal,
    count: breakerTrips.count,
    sample: breakerTrips.sample,
  });
  const isHeld = row?.pausedBy === "admin" && actor.role !== "admin";
  if (row === undefined || row.status !== "paused" || isHeld) {
    return await refuseAct(ctx, actor, campaign, HELD_BY_ADMIN);
  }
  const why = tripSentence({ ...row, signal: row.signal as Signal });
  throw new HttpError("reason_not_confirmed", {
    text: `הקמפיין הושהה אוטומטית: ${why} כדי להמשיך צריך לאשר שראיתם את הסיבה.`,
  });
}
