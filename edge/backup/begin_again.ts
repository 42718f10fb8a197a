import { renewGeneration } from "../sites/generation.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { unmarkCopy } from "../db/copy_mark.ts";
import { migrateDatabase, readSchema } from "../db/migrate.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { noteLostTime, pauseForgotten } from "../queue/pause_unreported.ts";

/**
 * Prepares a database from a backup for service. It migrates it to this release, starts a new generation, audits the
 * restore inside it, logs everybody out, removes join tokens and invitations, and lets clients' colleagues, all API keys and webhooks wait for their owners. `noteRestore()` records the restore outside. From
 * then on nothing is leased until every site has reported its acts of the lost time, or was written off. Returns how
 * many campaigns were paused because the sites no longer remember all of that time.
 *
 * @param isNoted whether noteLostTime() was called before anything else was written to the copy
 */
export async function beginAgain(
  ctx: Pick<EdgeContext, "db" | "now" | "randomBytes">,
  { isNoted = false } = {},
): Promise<number> {
  await migrateDatabase(ctx.db, await readSchema());
  if (!isNoted) await noteLostTime(ctx.db, ctx.now());
  await renewGeneration(ctx);
  await writeAudit(ctx, { kind: "database_restored", actor: null });
  // It is unknown which of them ended or were used in the lost time.
  await ctx.db.batch([
    "DELETE FROM sessions",
    "DELETE FROM join_tokens WHERE used_at IS NULL",
    "DELETE FROM invitations",
    // A colleague removed since the backup must not come back before the owner has looked.
    "UPDATE users SET waits = 1 WHERE works_for IS NOT NULL AND left_at IS NULL",
    "UPDATE api_keys SET unconfirmed = 1 WHERE revoked_at IS NULL",
    // A webhook removed since the backup must not come back either.
    {
      sql: "UPDATE webhook_endpoints SET paused_at = ?, paused_why = 'restored' WHERE paused_at IS NULL",
      args: [ctx.now()],
    },
  ], "write");
  const paused = await inTransaction(ctx.db, (tx) => pauseForgotten(tx, ctx.now()));
  // Last: if this process dies earlier, no edge serves an unprepared database.
  await unmarkCopy(ctx.db);
  return paused;
}
