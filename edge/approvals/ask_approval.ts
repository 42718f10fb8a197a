import { noteAudit } from "../audit_log/note_audit.ts";
import { showCampaign } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { campaignChanged } from "../events/changed_event.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { IS_ENABLED } from "../queue/own_campaign.ts";
import { NEEDED } from "../queue/send.ts";

// No row = not ready, an import runs, or this revision was asked about before.
const ASK = `INSERT INTO approvals (campaign, revision, state, asked_at)
  SELECT id, revision, 'asked', :now FROM campaigns
  WHERE id = :campaign AND client = :user AND ${IS_ENABLED} AND status = 'ready' AND running_import IS NULL
    AND test_of IS NULL AND ${NEEDED} > 0
  ON CONFLICT (campaign, revision) DO NOTHING`;
const NOTE = `INSERT INTO activity (at, kind, code, data, campaign, user)
  SELECT :now, 'warning', 'approval_asked', json_object('campaign', c.name, 'client', u.username,
    'waiting', ${NEEDED}), c.id, c.client
  FROM campaigns c JOIN users u ON u.id = c.client WHERE c.id = :campaign AND ${STEP_BEFORE_CHANGED}`;
const FIGURES =
  `(SELECT json_object('kind', kind, 'messages', ${NEEDED}, 'revision', revision) FROM campaigns c WHERE c.id = ?)`;

/**
 * Asks administrators to approve a ready campaign as it is now; asking again changes nothing.
 *
 * @throws {HttpError} `not_found` (also another client's); `campaign_state` when it needs no approval, or this state of
 * it was refused; `campaign_not_ready`, `import_running`, `advertiser_missing`, `quota_short`
 */
export async function askApproval(ctx: EdgeContext, user: SessionUser, campaign: number): Promise<void> {
  const shown = await showCampaign(ctx, { ...user, role: "client" }, campaign);
  if (shown.approval?.state === "asked") return;
  const has = (code: string) => shown.notices.some((notice) => notice.code === code);
  if (has("import_running")) throw new HttpError("import_running");
  if (shown.status !== "ready") throw new HttpError("campaign_not_ready");
  // Nobody should look at what could not be sent.
  if (has("advertiser_missing")) throw new HttpError("advertiser_missing");
  if (shown.approval?.state !== "needed") throw new HttpError("campaign_state");
  const args = { campaign, user: user.id, now: ctx.now() };
  const note = {
    kind: "approval_asked" as const,
    actor: user.id,
    campaign,
    dataSql: { sql: FIGURES, args: [campaign] },
  };
  const { asked } = await writeBatch(ctx.db, {
    asked: statement(ASK, args),
    noted: rightAfter("asked", statement(NOTE, args)),
    audited: rightAfter("noted", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    event: campaignChanged(args.now, { id: campaign, client: user.id }),
  });
  ctx.wakeOutbox();
  if (asked.rowsAffected === 0) throw new HttpError("campaign_state");
}
