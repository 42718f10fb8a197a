import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { stopSite } from "../queue/stop_site.ts";

/** This many live connections ended by others with the same key within the window mean two machines. */
export const MAX_SUPERSEDED = 5;
/** One machine alone gives up a connection only after DEAD_SOCKET_MS of silence, so it cannot reach that number. */
const SUPERSEDED_WINDOW_MS = (MAX_SUPERSEDED - 1) * DEAD_SOCKET_MS;

const IN_WINDOW = `superseded_since > :now - ${SUPERSEDED_WINDOW_MS}`;
// Returns the count when it is full, and then counts from the start again.
const COUNT = `UPDATE sites SET
    superseded_count = CASE WHEN ${IN_WINDOW} THEN superseded_count + 1 ELSE 1 END,
    superseded_since = CASE WHEN ${IN_WINDOW} THEN superseded_since ELSE :now END
  WHERE id = :site RETURNING superseded_count, stopped`;

/**
 * Records that a live connection was replaced by another of the same site. One machine has one connection, so
 * repeated replacements mean two machines. A journal copied from one machine would give up the rows of the other. So
 * the site is stopped and administrators are alerted.
 */
export async function noteSuperseded(ctx: EdgeContext, site: number): Promise<void> {
  const now = ctx.now();
  await inTransaction(ctx.db, async (tx) => {
    const { supersededCount, stopped } = sites;
    const [row] = rowsAs(await tx.execute(statement(COUNT, { site, now })), { supersededCount, stopped });
    if (row?.supersededCount !== MAX_SUPERSEDED || row.stopped) return;
    const message = "שני מחשבים מתחברים בשם אותו אתר ומנתקים זה את זה. האתר נעצר עד שיישאר אחד.";
    await stopSite(tx, { site, reason: "two_machines", message }, now);
  });
  ctx.wakeOutbox();
}
