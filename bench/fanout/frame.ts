/** What the fan-out sends: a live event as long as those of campaigns, the moment it was made at its end. */
import { nowMs } from "../storm/driver_words.ts";

const COUNTS = { queued: 1000, leased: 20, sent: 12345, failed: 12, unknown: 3, skipped: 40, cancelled: 0 };

/** The `data` of one event. */
export function madeNow(): string {
  return JSON.stringify({
    campaignId: 1,
    name: "מבצע סוף עונה",
    status: "active",
    counts: COUNTS,
    madeAt: nowMs(),
  });
}

/** When the event in a frame was made; cheaper than to parse it all, for whoever listens must not be what is slow. */
export function madeAt(frame: string): number {
  const from = frame.lastIndexOf('"madeAt":') + '"madeAt":'.length;
  return Number(frame.slice(from, frame.indexOf("}", from)));
}
