import type { Row } from "@libsql/client/web";
import type { SendResult } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { statement } from "./statement.ts";
import { WORK_WAITING } from "./work_waiting.ts";

/** What a campaign takes from the quota; sent and unknown are 0 unless a restored database learnt of them. */
const NEEDED = "queued_count + sent_count + unknown_count";

// No row = not the client's, not ready, an import runs, nobody to send to, or too little quota; LOOK says which.
const TAKE =
  `UPDATE campaigns SET status = 'processing', send_at = :now, reserved = ${NEEDED}, updated_at = :now
  WHERE id = :campaign AND client = :user AND status = 'ready' AND running_import IS NULL AND queued_count > 0
    AND ${NEEDED} <= (SELECT message_quota FROM users WHERE id = :user)`;
// changes() = 1 only directly behind the row that TAKE, then RESERVE, changed.
const RESERVE = `INSERT INTO quota_ledger (client, at, kind, delta, campaign, actor)
  SELECT client, :now, 'reserve', -reserved, id, :user FROM campaigns WHERE id = :campaign AND changes() = 1`;
const TELL_SITES = `${WORK_WAITING} WHERE changes() = 1`;
const LOOK = `SELECT status, running_import, queued_count, ${NEEDED} AS needed, message_quota
  FROM campaigns JOIN users ON users.id = campaigns.client WHERE campaigns.id = :campaign AND client = :user`;

/**
 * Sends a ready campaign: takes its contacts' number from the client's quota and makes them leasable, in one
 * transaction whose size does not depend on that number.
 *
 * @throws HttpError not_found (also another client's), campaign_not_ready, import_running, quota_short
 */
export async function sendCampaign(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id">,
  campaignId: number,
): Promise<SendResult> {
  const args = { campaign: campaignId, user: user.id, now: ctx.now() };
  const [taken, , , look] = await ctx.db.batch(
    [TAKE, RESERVE, TELL_SITES, LOOK].map((sql) => statement(sql, args)),
    "write",
  );
  if (taken.rowsAffected === 0) throw refusal(look.rows[0]);
  ctx.wakeOutbox();
  return { remainingQuota: Number(look.rows[0].message_quota) };
}

function refusal(campaign: Row | undefined): HttpError {
  if (campaign === undefined) return new HttpError("not_found");
  if (campaign.running_import !== null) return new HttpError("import_running");
  if (campaign.status !== "ready") return new HttpError("campaign_not_ready");
  if (Number(campaign.queued_count) === 0) {
    return new HttpError("campaign_not_ready", { text: "אין בקמפיין נמענים לשליחה." });
  }
  const needed = Number(campaign.needed);
  const left = Number(campaign.message_quota);
  return new HttpError("quota_short", {
    text: `חסרות ${
      needed - left
    } הודעות במכסה: דרושות ${needed}, זמינות ${left}. נא לפנות למנהל המערכת לטעינת הודעות.`,
  });
}
