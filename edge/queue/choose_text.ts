import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { condition, rowsAs } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import { HttpError } from "../http/http_error.ts";
import { type Actor, IS_ENABLED } from "./own_campaign.ts";

// No row = another client's, one text only, no such text, chosen before, or no wave to wait for.
const CHOOSE =
  `UPDATE campaigns SET winner = :variant, pilot_last = NULL, pilot_until = NULL, updated_at = :now
  WHERE id = :campaign AND client = :user AND ${IS_ENABLED} AND status IN ('processing', 'active', 'paused')
    AND winner IS NULL AND pilot_last IS NOT NULL AND :variant BETWEEN 1 AND variant_count`;
const EVENT = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE id = :campaign AND ${STEP_BEFORE_CHANGED}`;
const LOOK = `SELECT ${IS_ENABLED} AS enabled FROM campaigns WHERE id = :campaign AND client = :user`;

/**
 * Chooses the text that the rest of a campaign gets, and lets the rest go. A recipient who has a text keeps it.
 *
 * @throws {HttpError} `not_found` (also another client's), `campaign_state`
 */
export async function chooseText(
  ctx: EdgeContext,
  user: Pick<Actor, "id">,
  campaign: number,
  variant: number,
): Promise<void> {
  const args = { now: ctx.now(), campaign, user: user.id, variant };
  const note = { kind: "campaign_text_chosen" as const, actor: user.id, campaign, data: { variant } };
  const { chosen, look } = await writeBatch(ctx.db, {
    chosen: statement(CHOOSE, args),
    event: rightAfter("chosen", statement(EVENT, args)),
    audited: rightAfter("event", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    woken: rightAfter("audited", statement(WORK_WAITING_IF_CHANGED, args)),
    look: statement(LOOK, args),
  });
  const [present] = rowsAs(look, { enabled: condition });
  if (present === undefined) throw new HttpError("not_found");
  if (!present.enabled) throw new HttpError("not_logged_in");
  if (chosen.rowsAffected === 0) throw new HttpError("campaign_state");
  ctx.wakeOutbox();
}
