import type { EdgeContext } from "../context.ts";
import { MOVED_BY } from "shared/delivery.ts";
import { noteSite } from "../events/note_activity.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { HttpError } from "../http/http_error.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { notTapped, settle } from "../deliveries/settle.ts";
import { campaignsOf, progressEvents } from "../events/progress_event.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

// No row = no such site, or already revoked.
const REVOKE = `UPDATE sites SET revoked = 1, epoch = epoch + 1 WHERE id = :site AND revoked = 0`;
const OFFERED_BACK = `UPDATE deliveries SET ${settle(notTapped(MOVED_BY.edge, "'site_revoked'"))},
    updated_at = :now
  WHERE site = :site AND state = 'leased' AND acked_at IS NULL RETURNING campaign`;
const UNKNOWN = `UPDATE deliveries SET
    ${settle({ state: "'unknown'", by: MOVED_BY.clockOrRevoked, reason: "'site_revoked'" })},
    updated_at = :now
  WHERE site = :site AND state = 'leased' AND acked_at IS NOT NULL RETURNING campaign`;
const CLOSE_SOCKET = `INSERT INTO events (at, type, site, data) VALUES (:now, 'revoke', :site, '{}')`;

/**
 * Revokes a site's key for good and settles the rows that it held. Rows that were only offered are queued again; rows
 * that it may have sent are unknown. Its later reports are stored as evidence and move nothing.
 *
 * @throws HttpError not_found
 */
export async function revokeSite(ctx: EdgeContext, site: number, actor: number | null = null): Promise<void> {
  const args = { site, now: ctx.now() };
  await inTransaction(ctx.db, async (tx) => {
    const run = (sql: string) => tx.execute(statement(sql, args));
    if ((await run(REVOKE)).rowsAffected === 0) throw new HttpError("not_found");
    const moved = [await run(OFFERED_BACK), await run(UNKNOWN)].flatMap(campaignsOf);
    await run(CLOSE_SOCKET);
    await tx.execute(noteSite(args.now, site, { kind: "warning", code: "site_revoked" }));
    await tx.execute(noteAudit(args.now, { kind: "site_revoked", actor, site }));
    await run(WORK_WAITING);
    if (moved.length > 0) await tx.execute(progressEvents(moved, args.now));
  });
  ctx.wakeOutbox();
}
