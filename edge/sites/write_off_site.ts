import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

// No row = no such site, or one that was revoked: nobody waits for that.
const WRITE_OFF = `UPDATE sites SET answered_generation = (SELECT value FROM system WHERE key = 'generation')
  WHERE id = :site AND revoked = 0`;

/**
 * Stops waiting for what a site did before a backup was restored; an administrator's decision.
 *
 * @throws HttpError not_found
 */
export async function writeOffSite(
  ctx: EdgeContext,
  site: number,
  actor: number | null = null,
): Promise<void> {
  const args = { site, now: ctx.now() };
  const [written] = await ctx.db.batch([
    statement(WRITE_OFF, args),
    noteAudit(args.now, { kind: "site_written_off", actor, site }, "changes() = 1"),
    statement(WORK_WAITING, args),
  ], "write");
  if (written.rowsAffected === 0) throw new HttpError("not_found");
  ctx.wakeOutbox();
}
