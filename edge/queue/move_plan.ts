import type { PlanMoved } from "shared/plan_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { condition, rowsAs } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { HttpError } from "../http/http_error.ts";
import { localDay } from "../time/local_day.ts";
import { type Actor, IS_ENABLED } from "./own_campaign.ts";
import { OWED_TEXT } from "./undo_send.ts";

// No row = another client's, not planned, or started meanwhile. Moving a plan that waited for a person is that person's
// decision; after a restore it needs what the sites know.
const MOVE =
  `UPDATE campaigns SET planned_at = :at, plan_hold = NULL, pressed_at = :now, send_day = :sendDay, updated_at = :now
  WHERE id = :campaign AND client = :user AND ${IS_ENABLED} AND status = 'scheduled' AND NOT ${OUTCOMES_OWED}`;
const LOOK = `SELECT ${IS_ENABLED} AS enabled, status, planned_at, ${OUTCOMES_OWED} AS owed
  FROM campaigns WHERE id = :campaign AND client = :user`;

/**
 * Gives a plan another time, in ms; the present time starts it with the next tick. A plan that waited for a person
 * waits for its time again.
 *
 * @throws HttpError not_found (also another client's), send_began, campaign_state
 */
export async function movePlan(
  ctx: EdgeContext,
  user: Pick<Actor, "id">,
  campaign: number,
  at: number,
): Promise<PlanMoved> {
  const args = { now: ctx.now(), campaign, user: user.id, at, sendDay: localDay(at) };
  const note = { kind: "campaign_plan_moved" as const, actor: user.id, campaign, data: { plannedAt: at } };
  const { moved, look } = await writeBatch(ctx.db, {
    moved: statement(MOVE, args),
    audited: rightAfter("moved", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    look: statement(LOOK, args),
  });
  const [present] = rowsAs(look, {
    enabled: condition,
    status: campaigns.status,
    plannedAt: campaigns.plannedAt,
    owed: condition,
  });
  if (present === undefined) throw new HttpError("not_found");
  if (moved.rowsAffected === 0) {
    if (!present.enabled) throw new HttpError("not_logged_in");
    if (present.status === "scheduled" && present.owed) {
      throw new HttpError("campaign_state", { text: OWED_TEXT });
    }
    throw new HttpError(present.plannedAt === null ? "campaign_state" : "send_began");
  }
  ctx.wakeOutbox();
  return { plannedAt: at };
}
