import { renewGeneration } from "../agents/generation.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { migrateDatabase, readMigrations } from "../db/migrate.ts";

/**
 * Makes a database that came from a backup one that may be served: brought up to this release, of a new generation, the
 * restore audited inside (`noteRestore()` tells it outside), everybody logged out and no join token left. From then on
 * nothing is leased until every site has told what it did in the lost time, or was written off.
 */
export async function beginAgain(
  ctx: Pick<EdgeContext, "db" | "now" | "randomBytes">,
): Promise<void> {
  await migrateDatabase(ctx.db, await readMigrations());
  await renewGeneration(ctx);
  await writeAudit(ctx, { kind: "database_restored", actor: null });
  // Which of them were ended or used in the lost time nobody knows any more.
  await ctx.db.batch(["DELETE FROM sessions", "DELETE FROM join_tokens WHERE used_at IS NULL"], "write");
}
