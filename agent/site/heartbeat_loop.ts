/** Reports that the site is alive, and the counter of its journal. */
import { HEARTBEAT_MS } from "shared/lease.ts";
import type { Site } from "./site.ts";

/** Sends heartbeats until the signal aborts, during a drain too: a site that finishes its taps is alive. */
export async function heartbeatLoop(site: Site, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (site.book.isReady) {
      site.send({ type: "heartbeat", journalCounter: site.journal.counter, at: site.clock.now() });
    }
    await site.clock.sleep(HEARTBEAT_MS, signal);
  }
}
