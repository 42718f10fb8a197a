/** Sends the edge every outcome, again and again until the edge has acknowledged it. */
import type { ReportItem } from "shared/agent_protocol.ts";
import { devicesWithRoom, noteAsked } from "./lease_loop.ts";
import type { Site } from "./site.ts";

/** Outcomes of the same moment share one report. */
const GATHER_MS = 20;
/** An unanswered report is sent again after this long. */
const REPORT_AGAIN_MS = 5_000;
const QUIET_MS = 5_000;

/** Reports until the signal aborts. Outcomes without an acknowledgement stay in the journal. */
export async function reportLoop(site: Site, signal: AbortSignal): Promise<void> {
  let seq = 0;
  while (!signal.aborted) {
    const items = site.mayReport() ? site.book.outcomesToReport() : [];
    if (items.length > 0 && sendReport(site, ++seq, items)) await untilAcked(site, items[0]!, signal);
    else await site.reportBell.wait(site.clock, QUIET_MS, signal);
    await site.clock.sleep(GATHER_MS, signal);
  }
}

/** Asks in the same frame for work in the room that these outcomes open. */
function sendReport(site: Site, seq: number, items: ReportItem[]): boolean {
  // A returned delivery may be for a phone that has just asked without result.
  if (items.some(({ outcome }) => outcome === "void")) site.askedUntil.clear();
  const devices = site.edgeCan("leases_with_reports") ? devicesWithRoom(site) : [];
  const { counter: journalCounter } = site.journal;
  const asking = devices.length > 0 ? { asks: devices } : {};
  const isSent = site.send({ type: "report", seq, journalCounter, items, ...asking });
  if (isSent) noteAsked(site, devices);
  return isSent;
}

/** Waits until the oldest of the reported rows is forgotten, or the answer is late. */
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
