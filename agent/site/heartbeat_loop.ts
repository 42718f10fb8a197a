/** Says that the site is alive, and how far its journal has come. */
import { HEARTBEAT_MS } from "shared/lease.ts";
import type { Site } from "./site.ts";

/** Beats until the signal aborts, through a drain too: a site that finishes its taps is not dead. */
export async function heartbeatLoop(site: Site, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (site.book.isReady) {
      site.say({ type: "heartbeat", journalCounter: site.journal.counter, at: site.clock.now() });
    }
    await site.clock.sleep(HEARTBEAT_MS, signal);
  }
}
