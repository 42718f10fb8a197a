import { renewGeneration } from "../sites/generation.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { unmarkCopy } from "../db/copy_mark.ts";
import { migrateDatabase, readSchema } from "../db/migrate.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { noteLostTime, pauseForgotten } from "../queue/pause_untold.ts";

/**
 * Makes a database that came from a backup one that may be served: brought up to this release, of a new generation, the
 * restore audited inside (`noteRestore()` tells it outside), everybody logged out and no join token left. From then on
 * nothing is leased until every site has told what it did in the lost time, or was written off. Returns how many
 * campaigns were paused because the sites no longer remember all of that time.
 *
 * @param isNoted whether noteLostTime() was called before something else was written to the copy
 */
export async function beginAgain(
  ctx: Pick<EdgeContext, "db" | "now" | "randomBytes">,
  { isNoted = false } = {},
): Promise<number> {
  await migrateDatabase(ctx.db, await readSchema());
  if (!isNoted) await noteLostTime(ctx.db, ctx.now());
  await renewGeneration(ctx);
  await writeAudit(ctx, { kind: "database_restored", actor: null });
  // Which of them were ended or used in the lost time nobody knows any more.
  await ctx.db.batch(["DELETE FROM sessions", "DELETE FROM join_tokens WHERE used_at IS NULL"], "write");
  const paused = await inTransaction(ctx.db, (tx) => pauseForgotten(tx, ctx.now()));
  // Last: if this process dies before, no edge serves a database that is not ready.
  await unmarkCopy(ctx.db);
  return paused;
}
