/**
 * Keeps the book correct as time passes: repeats unanswered acknowledgements, gives back rows that may not be tapped
 * now.
 */
import { watchJumps } from "shared/clock_watch.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { deviceOf } from "../journal/journal_tables.ts";
import { lostStateToReason } from "../delivery/result_to_event.ts";
import type { Site } from "./site.ts";

const UPKEEP_MS = 1_000;
const PRUNE_MS = 60 * 60_000;

export async function upkeepLoop(site: Site, signal: AbortSignal): Promise<void> {
  let pruneAt = -Infinity;
  const lookForJump = watchJumps(site.clock);
  while (!signal.aborted) {
    const jumpMs = lookForJump();
    if (jumpMs !== 0) site.log("warn", "clock_jumped", { ms: jumpMs });
    for (const ack of site.book.acksToRepeat()) site.send(ack);
    const given = site.book.giveBackExpired() + site.book.giveBackWaiting((account) => whyNot(site, account));
    if (given > 0) site.reportBell.wake();
    const edgeNow = site.edgeNow();
    if (edgeNow !== null && site.clock.monotonic() >= pruneAt) {
      site.journal.pruneArchive(edgeNow);
      pruneAt = site.clock.monotonic() + PRUNE_MS;
    }
    await site.clock.sleep(UPKEEP_MS, signal);
  }
}

/** Returns why an account cannot send now, or null. A lease may have come just after its phone was lost. */
function whyNot({ pool, journal }: Site, account: string): DeliveryReason | null {
  const device = deviceOf(account);
  const state = pool.stateOf(account);
  if (state !== "ok" && !pool.reachable(device)) return "device_offline";
  if (journal.isStopped(device)) return "recalled";
  return state === "ok" ? null : lostStateToReason(state);
}
