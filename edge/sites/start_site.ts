import { noteSite } from "../events/note_activity.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

// No row = no such site, or one that was revoked.
const START = `UPDATE sites SET stopped = 0, stop_reason = NULL, superseded_count = 0,
    unconfirmed_seen_at = iif(unconfirmed_rest IS NULL, unconfirmed_seen_at, :now), unconfirmed_rest = NULL
  WHERE id = :site AND revoked = 0`;

/**
 * Leases to a site again that was stopped over its journal or its key, or whose unconfirmed accounts rest; an
 * administrator's decision. What was marked unknown then stays so, until its site says sent or a person decides. What
 * the unconfirmed accounts said until now is judged no more.
 *
 * @throws HttpError not_found
 */
export async function startSite(ctx: EdgeContext, site: number, actor: number | null = null): Promise<void> {
  const args = { site, now: ctx.now() };
  const [started] = await ctx.db.batch([
    statement(START, args),
    noteSite(args.now, site, { kind: "info", code: "site_started" }, "changes() = 1"),
    noteAudit(args.now, { kind: "site_started", actor, site }, "changes() = 1"),
    statement(WORK_WAITING, args),
  ], "write");
  if (started.rowsAffected === 0) throw new HttpError("not_found");
  ctx.wakeOutbox();
}
