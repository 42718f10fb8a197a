import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { stopSite } from "../queue/stop_site.ts";

/** So many living connections ended by others with the same key within the window, and it is two machines. */
export const MAX_SUPERSEDED = 5;
/** One machine alone gives a connection up only after DEAD_SOCKET_MS of silence, so it cannot come to as many. */
const SUPERSEDED_WINDOW_MS = (MAX_SUPERSEDED - 1) * DEAD_SOCKET_MS;

const IN_WINDOW = `superseded_since > :now - ${SUPERSEDED_WINDOW_MS}`;
// The count comes back once it is full, and begins again.
const COUNT = `UPDATE sites SET
    superseded_count = CASE WHEN ${IN_WINDOW} THEN superseded_count + 1 ELSE 1 END,
    superseded_since = CASE WHEN ${IN_WINDOW} THEN superseded_since ELSE :now END
  WHERE id = :site RETURNING superseded_count, stopped`;

/**
 * Notes that a connection which was alive gave way to another of the same site. One machine has one connection, so
 * when that goes on there are two, and a journal copied from one would give up what the other holds: the site is
 * stopped and administrators are told.
 */
export async function noteSuperseded(ctx: EdgeContext, site: number): Promise<void> {
  const now = ctx.now();
  await inTransaction(ctx.db, async (tx) => {
    const { rows: [row] } = await tx.execute(statement(COUNT, { site, now }));
    if (row?.superseded_count !== MAX_SUPERSEDED || row.stopped === 1) return;
    const message = "שני מחשבים מתחברים בשם אותו אתר ומנתקים זה את זה. האתר נעצר עד שיישאר אחד.";
    await stopSite(tx, { site, reason: "two_machines", message }, now);
  });
  ctx.wakeOutbox();
}
