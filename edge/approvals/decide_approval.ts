import type { DecideApprovalRequest } from "shared/approval_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { condition, orNull, rowsAs, wordOf } from "../db/query.ts";
import { approvals, campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { LACKS_DECISION } from "./waiting.ts";

// No row = the campaign has changed since the administrator read it, was sent, or waits for nobody. A decision about the
// same revision replaces the one before.
const DECIDE = `INSERT INTO approvals (campaign, revision, state, asked_at, decided_at, decided_by, reason)
  SELECT c.id, c.revision, :decision, coalesce(c.pressed_at, :now), :now, :actor, nullif(:reason, '') FROM campaigns c
  WHERE c.id = :campaign AND c.revision = :revision AND c.running_import IS NULL
    AND (${LACKS_DECISION} OR (c.status IN ('ready', 'scheduled') AND EXISTS (SELECT 1 FROM approvals a
      WHERE a.campaign = c.id AND a.revision = c.revision AND a.state <> :decision)))
  ON CONFLICT (campaign, revision) DO UPDATE SET state = excluded.state, decided_at = excluded.decided_at,
    decided_by = excluded.decided_by, reason = excluded.reason`;
const NOTE = `INSERT INTO activity (at, kind, code, data, campaign, user)
  SELECT :now, iif(:decision = 'approved', 'info', 'warning'), 'approval_' || :decision,
    json_object('campaign', c.name, 'client', u.username, 'by', (SELECT username FROM users WHERE id = :actor)),
    c.id, c.client
  FROM campaigns c JOIN users u ON u.id = c.client WHERE c.id = :campaign AND ${STEP_BEFORE_CHANGED}`;
const EVENT = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', client, id, json_object('campaignId', id) FROM campaigns
  WHERE id = :campaign AND ${STEP_BEFORE_CHANGED}`;
// A refused plan waits for its client. An approval lets it start, if its time is not over (start_plans.ts).
const HOLD = `UPDATE campaigns SET updated_at = :now,
    plan_hold = iif(:decision = 'refused', 'not_approved', NULL)
  WHERE id = :campaign AND status = 'scheduled' AND revision = :revision
    AND plan_hold IS iif(:decision = 'refused', NULL, 'not_approved') AND ${STEP_BEFORE_CHANGED}`;
const LOOK = `SELECT c.revision = :revision AS "isSeen", c.status,
    (SELECT state FROM approvals a WHERE a.campaign = c.id AND a.revision = c.revision) AS state
  FROM campaigns c WHERE c.id = :campaign AND c.test_of IS NULL`;

/**
 * Approves or refuses a campaign as the administrator has seen it: `revision` is no longer the campaign's after any
 * change of its words, picture, kind, time or recipients. A reason loses its phone numbers.
 *
 * @throws {HttpError} `not_found`; `words_changed` when it is another by now; `campaign_state` when it waits for nobody
 */
export async function decideApproval(
  ctx: EdgeContext,
  { id: actor }: { id: number },
  campaign: number,
  { revision, decision, reason: text }: DecideApprovalRequest,
): Promise<void> {
  const reason = withoutNumbers(text);
  const args = { campaign, revision, decision, reason, actor, now: ctx.now() };
  const note = {
    kind: decision === "approved" ? "approval_given" as const : "approval_refused" as const,
    actor,
    campaign,
    data: { revision, ...(reason !== "" && { reason }) },
  };
  const { decided, look } = await writeBatch(ctx.db, {
    decided: statement(DECIDE, args),
    audited: rightAfter("decided", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    noted: rightAfter("audited", statement(NOTE, args)),
    told: rightAfter("noted", statement(EVENT, args)),
    held: rightAfter("told", statement(HOLD, args)),
    look: statement(LOOK, args),
  });
  const [present] = rowsAs(look, {
    isSeen: condition,
    status: campaigns.status,
    state: orNull(wordOf<typeof approvals.$inferSelect["state"]>()),
  });
  if (present === undefined) throw new HttpError("not_found");
  ctx.wakeOutbox();
  if (decided.rowsAffected > 0) return;
  if (!present.isSeen && ["draft", "ready", "scheduled"].includes(present.status)) {
    throw new HttpError("words_changed", { text: CHANGED });
  }
  // Another administrator, or a second press.
  if (present.state !== decision) throw new HttpError("campaign_state");
}

const CHANGED = "הקמפיין השתנה מאז שהעמוד נטען. נא לקרוא אותו שוב, ואז להחליט.";
