import type { InStatement, InValue, Transaction } from "@libsql/client/web";
import { MOVED_BY } from "shared/delivery.ts";
import { statement } from "../db/statement.ts";
import { recallWhere } from "../deliveries/recall.ts";
import { notTapped, settle } from "../deliveries/settle.ts";
import { campaignsOf, progressEvents } from "../events/progress_event.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

/** What takeBack() does to the deliveries of some accounts, as SQL. */
export interface TakeBack {
  offered: string;
  recall: string;
}

/** Returns the statements of takeBack() for the deliveries that `held` finds. */
export function takeBackWhere(held: string): TakeBack {
  return {
    offered: `UPDATE deliveries SET ${settle(notTapped(MOVED_BY.edge, "'account_unavailable'"))},
      updated_at = :now
      WHERE ${held} AND state = 'leased' AND acked_at IS NULL RETURNING campaign`,
    recall: recallWhere(held),
  };
}

/**
 * Queues the offered deliveries of accounts that rest. Returns the statements that recall the acknowledged ones and
 * notify browsers and sites; the caller adds them to its own batch.
 */
export async function takeBack(
  tx: Pick<Transaction, "execute">,
  { offered, recall }: TakeBack,
  args: Record<string, InValue> & { now: number },
): Promise<InStatement[]> {
  const back = campaignsOf(await tx.execute(statement(offered, args)));
  const recalled = statement(recall, args);
  return back.length > 0
    ? [recalled, progressEvents(back, args.now), statement(WORK_WAITING, args)]
    : [recalled];
}
