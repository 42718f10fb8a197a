import type { TakenBack } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { type Actor, IS_ENABLED } from "./own_campaign.ts";
import { condition, rowsAs, wholeNumber } from "../db/query.ts";
import { campaigns, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** SQL condition on a campaign `c`: its time has come, or it was sent without a wait. */
export const HAS_STARTED = "(c.starts_at IS NULL OR c.starts_at <= :now)";

// No row = another client's, not sent, sent without a wait, or a row of it was leased: LOOK says which. The time itself
// is not asked: while no row was ever leased, nobody can have a message. Only a site can know better, after a restore,
// so until every site has reported, nothing is taken back. An administrator's pause stays an administrator's. A waiver
// of the hours ends: its reason was given for words that can change now.
const TAKE_BACK =
  `UPDATE campaigns SET status = 'ready', reserved = 0, sent_text = NULL, sent_parts = NULL, required_fields = NULL, send_at = NULL,
    starts_at = NULL, start_told_at = NULL, variant_count = NULL, variant_seed = NULL, winner = NULL, pilot_last = NULL, pilot_until = NULL, paused_by = NULL, updated_at = :now,
    hours_waived_at = NULL, hours_waived_by = NULL, hours_waived_why = NULL
  WHERE id = :campaign AND client = :user AND ${IS_ENABLED} AND NOT ${OUTCOMES_OWED}
    AND (status = 'processing' OR (status = 'paused' AND paused_by = 'client'))
    AND starts_at IS NOT NULL AND first_leased_at IS NULL AND leased_count = 0 AND sent_count + unknown_count = 0`;
const HELD = `(SELECT -coalesce(sum(delta), 0) FROM quota_ledger
  WHERE campaign = :campaign AND kind IN ('reserve', 'release'))`;
const RELEASE = `INSERT INTO quota_ledger (client, at, kind, delta, campaign, actor)
  SELECT :user, :now, 'release', ${HELD}, :campaign, :user WHERE ${STEP_BEFORE_CHANGED}`;
const RELEASED = `(SELECT json_object('messages', (SELECT delta FROM quota_ledger
  WHERE campaign = ? AND kind = 'release' ORDER BY id DESC LIMIT 1)))`;
// Somebody who asked to be removed meanwhile was refunded, and now the whole reservation is released.
const REFUNDED = `(SELECT coalesce(sum(delta), 0) FROM quota_ledger
  WHERE campaign = :campaign AND kind IN ('refund', 'charge'))`;
const UNDO_REFUNDS = `INSERT INTO quota_ledger (client, at, kind, delta, campaign, actor)
  SELECT :user, :now, 'refund', -${REFUNDED}, :campaign, :user WHERE ${STEP_BEFORE_CHANGED} AND ${REFUNDED} <> 0`;
// Numbers may have waited for the client's other marketing, or for their senders, without a lease. In a ready campaign no
// row waits: by that take_out_import.ts finds them.
const END_WAITS =
  `UPDATE deliveries SET not_before = 0, awaits = NULL WHERE campaign = :campaign AND state = 'queued' AND not_before > 0
  AND EXISTS (SELECT 1 FROM campaigns WHERE id = :campaign AND client = :user AND status = 'ready')`;
const FORGET_LEFT =
  `UPDATE deliveries SET awaits = NULL WHERE campaign = :campaign AND state = 'queued' AND awaits IS NOT NULL
  AND EXISTS (SELECT 1 FROM campaigns WHERE id = :campaign AND client = :user AND status = 'ready')`;
const FORGET_TEXTS = `DELETE FROM sent_variants WHERE campaign = :campaign
  AND EXISTS (SELECT 1 FROM campaigns WHERE id = :campaign AND client = :user AND status = 'ready')`;
const LOOK = `SELECT ${IS_ENABLED} AS enabled, status, message_quota, ${OUTCOMES_OWED} AS owed,
    first_leased_at IS NOT NULL OR sent_count + unknown_count > 0 AS "hasBegun"
  FROM campaigns JOIN users ON users.id = campaigns.client WHERE campaigns.id = :campaign AND client = :user`;

const OWED_TEXT =
  "המערכת שוחזרה מגיבוי. אפשר יהיה לבטל את השליחה כשכל האתרים ידווחו למי נשלחו הודעות בינתיים.";

/**
 * Takes the send of a campaign back, in one transaction: the campaign is ready again, its words can change, and its
 * units return to the quota. Possible only for a send with a wait, and until the first of its messages is leased.
 *
 * @throws HttpError not_found (also another client's), send_began, campaign_state
 */
export async function takeBackSend(
  ctx: EdgeContext,
  user: Pick<Actor, "id">,
  campaign: number,
): Promise<TakenBack> {
  const args = { now: ctx.now(), campaign, user: user.id };
  const dataSql = { sql: RELEASED, args: [campaign] };
  const note = { kind: "campaign_taken_back" as const, actor: user.id, campaign, dataSql };
  const { takenBack, look } = await writeBatch(ctx.db, {
    takenBack: statement(TAKE_BACK, args),
    released: rightAfter("takenBack", statement(RELEASE, args)),
    audited: rightAfter("released", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    refundsUndone: rightAfter("audited", statement(UNDO_REFUNDS, args)),
    waitsEnded: statement(END_WAITS, args),
    leftForgotten: statement(FORGET_LEFT, args),
    textsForgotten: statement(FORGET_TEXTS, args),
    look: statement(LOOK, args),
  });
  const [present] = rowsAs(look, {
    enabled: wholeNumber,
    status: campaigns.status,
    hasBegun: condition,
    owed: condition,
    messageQuota: users.messageQuota,
  });
  if (present === undefined) throw new HttpError("not_found");
  if (takenBack.rowsAffected === 0) {
    if (!present.enabled) throw new HttpError("not_logged_in");
    const isRunning = ["processing", "active", "paused"].includes(present.status);
    if (isRunning && present.hasBegun) throw new HttpError("send_began");
    throw new HttpError("campaign_state", isRunning && present.owed ? { text: OWED_TEXT } : {});
  }
  ctx.wakeOutbox();
  return { status: "ready", remainingQuota: present.messageQuota };
}
