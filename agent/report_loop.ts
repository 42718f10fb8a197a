/** Tells the edge every outcome, again and again until it has acknowledged it. */
import type { Site } from "./worker.ts";

/** Outcomes of the same moment travel in one report. */
const GATHER_MS = 20;
/** An unanswered report is sent again after this long. */
const REPORT_AGAIN_MS = 5_000;
const QUIET_MS = 5_000;

/** Reports until the signal aborts; what is not acknowledged by then stays in the journal. */
export async function reportLoop(site: Site, signal: AbortSignal): Promise<void> {
  let seq = 0;
  while (!signal.aborted) {
    const items = site.book.isReady ? site.book.outcomesToReport() : [];
    const isSaid = items.length > 0 &&
      site.say({ type: "report", seq: ++seq, journalCounter: site.journal.counter, items });
    if (isSaid) await untilAcked(site, items[0]!, signal);
    else await site.reportBell.wait(site.clock, QUIET_MS, signal);
    await site.clock.sleep(GATHER_MS, signal);
  }
}

/** Waits until the oldest of the reported rows is forgotten, or the answer is overdue. */
async function untilAcked(
  site: Site,
  oldest: { token: string; phone: string },
  signal: AbortSignal,
): Promise<void> {
  const until = site.clock.monotonic() + REPORT_AGAIN_MS;
  while (!signal.aborted && site.book.isReady && site.journal.get(oldest.token, oldest.phone)) {
    const leftMs = until - site.clock.monotonic();
    if (leftMs <= 0) return;
    await site.reportBell.wait(site.clock, leftMs, signal);
  }
}
