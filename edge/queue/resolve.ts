import type { z } from "zod";
import { MOVED_BY } from "shared/delivery.ts";
import type { resolveRequestSchema, resolveResultSchema } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_NOW } from "../health/campaign_window.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { IS_ENABLED } from "./own_campaign.ts";
import { PROGRESS_IF_CHANGED } from "../events/progress_event.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";

export type ResolveRequest = z.infer<typeof resolveRequestSchema>;
export type ResolveResult = z.infer<typeof resolveResultSchema>;

/** Rows moved in one commit: some 10 ms on a local file, which blocks the event loop that long. */
export const RESOLVE_SLICE = 200;

/**
 * Returns SQL for the next chosen rows. Until they move, each statement of a transaction finds the same ones. `state
 * <> 'queued'` repeats the condition of the partial index; without it SQLite reads all rows.
 */
const chosen = (more = "1") =>
  `id IN (SELECT id FROM deliveries WHERE campaign = :campaign AND state = 'unknown' AND state <> 'queued'
    AND (:all OR id IN (SELECT value FROM json_each(:ids)))
    AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = :campaign AND c.client = :client) AND ${IS_ENABLED}
    AND ${more} ORDER BY id LIMIT ${RESOLVE_SLICE})`;
const NOT_CANCELLED = "EXISTS (SELECT 1 FROM campaigns c WHERE c.id = :campaign AND c.status <> 'cancelled')";
/** Erased and forgotten recipients have no number. The plus keeps SQLite from using the index of numbers. */
const HAS_NUMBER = "+phone > 0";
const MAY_RESEND = `${NOT_CANCELLED} AND ${HAS_NUMBER}`;

// No row = no longer unknown, or another client's.
const DECIDE = `UPDATE deliveries SET state = :as, by = ${MOVED_BY.person}, reason = 'resolved_by_person',
    updated_at = :now
  WHERE ${chosen()}`;
// The abandoned attempt stays in doubt, unless the row's doubt comes from an earlier attempt.
const REMEMBER =
  `INSERT OR IGNORE INTO resends (campaign, phone, attempt, token, site, known, doubted, user, at)
  SELECT campaign, phone, attempt, token, site, by = ${MOVED_BY.earlierDoubt}, by = ${MOVED_BY.journalDoubted},
    :person, :now
  FROM deliveries WHERE ${chosen(MAY_RESEND)}`;
const RESEND = `UPDATE deliveries SET state = 'queued', by = ${MOVED_BY.person}, reason = NULL, tries = 0,
    resent = resent + 1, not_before = :now, updated_at = :now, expires_at = NULL
  WHERE ${chosen(MAY_RESEND)}`;
const LOOK = "SELECT 1 FROM campaigns WHERE id = :campaign AND client = :client";
// A person has seen the result of a finished campaign, so the breaker counts only later outcomes. Runs before RESEND,
// which opens the campaign, and marks the counters as they will be after it.
const HAS_ENDED = `EXISTS (SELECT 1 FROM campaigns c WHERE c.id = :campaign AND c.client = :client
  AND c.status IN ('completed', 'completed_with_errors', 'failed'))`;
const FORGET_MARKS = `DELETE FROM campaign_marks WHERE campaign = :campaign AND ${HAS_ENDED}`;
const MARK = `INSERT INTO campaign_marks (campaign, outcomes, failed, unknown, opted_out, at)
  SELECT c.id, ${OUTCOMES_NOW} - r.n, c.failed_count, c.unknown_count - r.n, c.opted_out_count, :now
  FROM campaigns c, (SELECT count(*) AS n FROM deliveries WHERE ${chosen(MAY_RESEND)}) r
  WHERE c.id = :campaign AND r.n > 0 AND ${HAS_ENDED}`;
// For the slices after the one that opened the campaign: the breaker also ignores the rows that they take out of the
// counters.
const MARK_ON = `UPDATE campaign_marks SET outcomes = outcomes - r.n, unknown = unknown - r.n
  FROM (SELECT count(*) AS n FROM deliveries WHERE ${chosen(MAY_RESEND)}) r
  WHERE campaign = :campaign AND :isMarked`;
// The abandoned attempt may have reached the person, so it counts for the frequency cap while the next one waits. The
// trigger that forgets settled rows cannot distinguish the two.
const MAY_BE_REACHED = `INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT c.client, d.phone, :now, c.id FROM campaigns c JOIN deliveries d ON d.campaign = c.id
  WHERE c.id = :campaign AND c.kind = 'marketing' AND c.test_of IS NULL AND c.client = :client
    AND d.state = 'queued' AND d.by = ${MOVED_BY.person} AND d.not_before = :now
  ON CONFLICT (client, phone) DO NOTHING`;

/**
 * Records a person's decision about unknown deliveries of their campaign: sent, failed, or send again. Only sending
 * again permits a second tap; it is refused in a cancelled campaign and opens a finished one. Many rows move in
 * slices, each with its line in the audit log. If the process dies or the caller `left`, the rest stays unchanged.
 *
 * @throws HttpError not_found; invalid_input once the caller left; campaign_state when nothing was unknown, or a
 *   cancelled campaign was to send again
 */
export async function resolveDeliveries(
  ctx: EdgeContext,
  decider: Pick<Caller, "client" | "person">,
  campaign: number,
  request: ResolveRequest,
  left?: AbortSignal,
): Promise<ResolveResult> {
  let changed = 0;
  // Otherwise twenty such calls would start with twenty slices in one turn of the event loop.
  if (request.ids === "all") await turnLoop();
  for (let isMarked = false;;) {
    const slice = await resolveSlice(ctx, decider, campaign, { ...request, isMarked, before: changed });
    changed += slice.changed;
    if (changed === 0) throw new HttpError("campaign_state");
    if (slice.changed > 0) ctx.wakeOutbox();
    if (slice.changed < RESOLVE_SLICE) return { changed };
    isMarked ||= slice.isMarked;
    await turnLoop();
    endIfCallerLeft(left);
  }
}

interface ResolvedSlice {
  /** The number of moved rows; fewer than RESOLVE_SLICE = no others are left. */
  changed: number;
  /** True when the campaign had ended and its counters were marked for the breaker. */
  isMarked: boolean;
}

async function resolveSlice(
  ctx: EdgeContext,
  decider: Pick<Caller, "client" | "person">,
  campaign: number,
  { ids, as, isMarked, before }: ResolveRequest & { isMarked: boolean; before: number },
): Promise<ResolvedSlice> {
  const all = ids === "all";
  const list = JSON.stringify(all ? [] : ids);
  const { client, person } = decider;
  const args = { now: ctx.now(), campaign, client, person, as, all, ids: list, isMarked };
  const isResend = as === "resend";
  const ifResend = (sql: string) => isResend ? statement(sql, args) : undefined;
  const dataSql = { sql: `json_object('as', ?, 'changed', ${ROWS_OF_STEP_BEFORE})`, args: [as] };
  const note = { kind: "deliveries_resolved" as const, actor: person, campaign, dataSql };
  // A repeated call learns of the slices that were moved, and moves no further ones.
  const ofSlice = "(SELECT json_extract(data, '$.changed') FROM audit_log ORDER BY id DESC LIMIT 1)";
  const sum = { sql: `json_object('changed', ? + ${ofSlice})`, args: [before] };
  const record = recordCall({ status: 200, made: campaign, figures: sum });
  const wake = statement(WORK_WAITING_IF_CHANGED, args);
  const { look, marked, moved } = await writeBatch(ctx.db, {
    look: statement(LOOK, args),
    marksForgotten: ifResend(FORGET_MARKS),
    marked: ifResend(MARK),
    markedOn: ifResend(MARK_ON),
    remembered: ifResend(REMEMBER),
    moved: statement(isResend ? RESEND : DECIDE, args),
    audited: rightAfter("moved", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    recorded: record && rightAfter("audited", record),
    sitesEvent: isResend ? rightAfter(record ? "recorded" : "audited", wake) : undefined,
    progressEvent: statement(PROGRESS_IF_CHANGED, args),
    reached: ifResend(MAY_BE_REACHED),
  });
  if (look.rows.length === 0) throw new HttpError("not_found");
  return { changed: moved.rowsAffected, isMarked: marked !== undefined && marked.rowsAffected > 0 };
}
