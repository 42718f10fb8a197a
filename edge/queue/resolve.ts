import type { z } from "zod";
import { MOVED_BY } from "shared/delivery.ts";
import type { resolveRequestSchema, resolveResultSchema } from "shared/http_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { IS_ENABLED } from "./own_campaign.ts";
import { PROGRESS_IF_CHANGED } from "./progress_event.ts";
import { statement } from "./statement.ts";
import { WORK_WAITING } from "./work_waiting.ts";

export type ResolveRequest = z.infer<typeof resolveRequestSchema>;
export type ResolveResult = z.infer<typeof resolveResultSchema>;

const CHOSEN = `campaign = :campaign AND state = 'unknown'
  AND (:all OR id IN (SELECT value FROM json_each(:ids)))
  AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = :campaign AND c.client = :user) AND ${IS_ENABLED}`;
const NOT_CANCELLED = "EXISTS (SELECT 1 FROM campaigns c WHERE c.id = :campaign AND c.status <> 'cancelled')";
/** Erased and forgotten recipients have none. */
const HAS_NUMBER = "phone > 0";

// No row = not unknown any more, or not the user's.
const DECIDE = `UPDATE deliveries SET state = :as, by = ${MOVED_BY.person}, reason = 'resolved_by_person',
    updated_at = :now
  WHERE ${CHOSEN}`;
// The attempt given up on stays in doubt, unless it is an earlier one's doubt that the row was left with.
const REMEMBER =
  `INSERT OR IGNORE INTO resends (campaign, phone, attempt, token, site, known, doubted, user, at)
  SELECT campaign, phone, attempt, token, site, by = ${MOVED_BY.earlierDoubt}, by = ${MOVED_BY.journalDoubted},
    :user, :now
  FROM deliveries WHERE ${CHOSEN} AND ${NOT_CANCELLED} AND ${HAS_NUMBER}`;
const RESEND = `UPDATE deliveries SET state = 'queued', by = ${MOVED_BY.person}, reason = NULL, tries = 0,
    resent = resent + 1, not_before = :now, updated_at = :now
  WHERE ${CHOSEN} AND ${NOT_CANCELLED} AND ${HAS_NUMBER}`;
const LOOK = "SELECT 1 FROM campaigns WHERE id = :campaign AND client = :user";
// Whom the attempt given up on may have reached still counts for the frequency cap while the next one waits: the trigger
// that forgets what is settled cannot tell it from that.
const MAY_BE_REACHED = `INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT c.client, d.phone, :now, c.id FROM campaigns c JOIN deliveries d ON d.campaign = c.id
  WHERE c.id = :campaign AND c.kind = 'marketing' AND c.test_of IS NULL AND c.client = :user
    AND d.state = 'queued' AND d.by = ${MOVED_BY.person} AND d.not_before = :now
  ON CONFLICT (client, phone) DO NOTHING`;

/**
 * A person decides about unknown deliveries of their campaign: it was sent, it failed, or send again. The last is
 * the one road to a second tap; it is refused in a cancelled campaign and opens a finished one.
 *
 * @throws HttpError not_found; campaign_state when nothing was unknown, or a cancelled campaign was to send again
 */
export async function resolveDeliveries(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id">,
  campaign: number,
  { ids, as }: ResolveRequest,
): Promise<ResolveResult> {
  const all = ids === "all";
  const args = { now: ctx.now(), campaign, user: user.id, as, all, ids: JSON.stringify(all ? [] : ids) };
  const moves = as === "resend" ? [REMEMBER, RESEND] : [DECIDE];
  const dataSql = { sql: "json_object('as', ?, 'changed', changes())", args: [as] };
  const results = await ctx.db.batch([
    ...[LOOK, ...moves].map((sql) => statement(sql, args)),
    noteAudit(args.now, { kind: "deliveries_resolved", actor: user.id, campaign, dataSql }, "changes() > 0"),
    ...(as === "resend" ? [statement(`${WORK_WAITING} WHERE changes() > 0`, args)] : []),
    statement(PROGRESS_IF_CHANGED, args),
    ...(as === "resend" ? [statement(MAY_BE_REACHED, args)] : []),
  ], "write");
  if (results[0].rows.length === 0) throw new HttpError("not_found");
  const changed = results[as === "resend" ? 2 : 1].rowsAffected;
  if (changed === 0) throw new HttpError("campaign_state");
  ctx.wakeOutbox();
  return { changed };
}
