import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

// No row = no such site, or a revoked one, for which nobody waits.
const WRITE_OFF = `UPDATE sites SET answered_generation = (SELECT value FROM system WHERE key = 'generation')
  WHERE id = :site AND revoked = 0`;

/**
 * Stops waiting for a site's report of the time before a restore; an administrator's decision.
 *
 * @throws HttpError not_found
 */
export async function writeOffSite(
  ctx: EdgeContext,
  site: number,
  actor: number | null = null,
): Promise<void> {
  const args = { site, now: ctx.now() };
  const note = noteAudit(args.now, { kind: "site_written_off", actor, site }, STEP_BEFORE_CHANGED);
  const { writtenOff } = await writeBatch(ctx.db, {
    writtenOff: statement(WRITE_OFF, args),
    audited: rightAfter("writtenOff", note),
    sitesEvent: statement(WORK_WAITING, args),
  });
  if (writtenOff.rowsAffected === 0) throw new HttpError("not_found");
  ctx.wakeOutbox();
}
