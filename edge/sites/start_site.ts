import { noteSite } from "../events/note_activity.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

// No row = no such site, or revoked.
const START = `UPDATE sites SET stopped = 0, stop_reason = NULL, superseded_count = 0,
    unconfirmed_seen_at = iif(unconfirmed_rest IS NULL, unconfirmed_seen_at, :now), unconfirmed_rest = NULL
  WHERE id = :site AND revoked = 0`;

/**
 * Leases again to a site that was stopped because of its journal or key, or whose unconfirmed accounts rest; an
 * administrator's decision. Rows marked unknown then stay unknown, until the site reports sent or a person decides.
 * Earlier reports of the unconfirmed accounts are no longer judged.
 *
 * @throws HttpError not_found
 */
export async function startSite(ctx: EdgeContext, site: number, actor: number | null = null): Promise<void> {
  const args = { site, now: ctx.now() };
  const line = noteSite(args.now, site, { kind: "info", code: "site_started" }, STEP_BEFORE_CHANGED);
  const audit = noteAudit(args.now, { kind: "site_started", actor, site }, STEP_BEFORE_CHANGED);
  const { started } = await writeBatch(ctx.db, {
    started: statement(START, args),
    noted: rightAfter("started", line),
    audited: rightAfter("noted", audit),
    sitesEvent: statement(WORK_WAITING, args),
  });
  if (started.rowsAffected === 0) throw new HttpError("not_found");
  ctx.wakeOutbox();
}
