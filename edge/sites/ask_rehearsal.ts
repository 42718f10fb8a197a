import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

const SET =
  `UPDATE sites SET asks_rehearsal = :asks WHERE id = :site AND revoked = 0 AND asks_rehearsal <> :asks`;
const KNOWN = "SELECT 1 FROM sites WHERE id = :site AND revoked = 0";

/**
 * Sets whether a site's phones get marketing only after a rehearsal or a proven send. An unchanged setting is not
 * audited.
 *
 * @throws HttpError not_found
 */
export async function askRehearsal(
  ctx: EdgeContext,
  { site, asks, actor }: { site: number; asks: boolean; actor: number | null },
): Promise<void> {
  const now = ctx.now();
  const args = { site, asks: asks ? 1 : 0, now };
  const kind = asks ? "rehearsals_asked" : "rehearsals_not_asked";
  const { known } = await writeBatch(ctx.db, {
    known: statement(KNOWN, args),
    set: statement(SET, args),
    audited: rightAfter("set", noteAudit(now, { kind, actor, site }, STEP_BEFORE_CHANGED)),
    // Phones that waited for it may have work now.
    sitesEvent: statement(WORK_WAITING, args),
  });
  if (known.rows.length === 0) throw new HttpError("not_found");
  ctx.wakeOutbox();
}
