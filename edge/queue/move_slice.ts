import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { progressEvents } from "../events/progress_event.ts";
import { rowsAs } from "../db/query.ts";
import { deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

/** Rows that a background task moves in one transaction: some 20 ms on a local file. */
export const SLICE = 500;

/**
 * Moves up to SLICE rows whose time has come. `due` finds them; it runs first, so that an idle tick writes nothing.
 * `move` has its own conditions and returns each row's `campaign`.
 */
export async function moveSlice(
  ctx: EdgeContext,
  due: string,
  move: string,
  args: { now: number } & Record<string, number>,
): Promise<number> {
  const found = await ctx.db.execute(statement(due, { ...args, slice: 1 }));
  if (found.rows.length === 0) return 0;
  const moved = await inTransaction(ctx.db, async (tx) => {
    const moving = await tx.execute(statement(move, { ...args, slice: SLICE }));
    const rows = rowsAs(moving, { campaign: deliveries.campaign });
    await tx.execute(progressEvents(rows.map(({ campaign }) => campaign), args.now));
    await tx.execute(statement(WORK_WAITING, args));
    return rows.length;
  });
  ctx.wakeOutbox();
  return moved;
}
