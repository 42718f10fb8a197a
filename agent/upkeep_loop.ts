/** Keeps the book honest with time: repeats unanswered acknowledgements, gives back what may not be tapped now. */
import type { Site } from "./worker.ts";

const UPKEEP_MS = 1_000;
const PRUNE_MS = 60 * 60_000;

/** Runs until the signal aborts. */
export async function upkeepLoop(site: Site, signal: AbortSignal): Promise<void> {
  let pruneAt = 0;
  while (!signal.aborted) {
    for (const ack of site.book.acksToRepeat()) site.say(ack);
    if (site.book.giveBackExpired() > 0) site.reportBell.ring();
    if (site.clock.monotonic() >= pruneAt) {
      site.journal.pruneArchive();
      pruneAt = site.clock.monotonic() + PRUNE_MS;
    }
    await site.clock.sleep(UPKEEP_MS, signal);
  }
}
