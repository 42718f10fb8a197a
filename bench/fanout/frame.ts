/** The frame of the fan-out bench: a live event of a campaign's length, with its creation time at the end. */
import { nowMs } from "../storm/driver_words.ts";

const COUNTS = { queued: 1000, leased: 20, sent: 12345, failed: 12, unknown: 3, skipped: 40, cancelled: 0 };

/** Returns the `data` of one event. */
export function madeNow(): string {
  return JSON.stringify({
    campaignId: 1,
    name: "מבצע סוף עונה",
    status: "active",
    counts: COUNTS,
    madeAt: nowMs(),
  });
}

/** Returns the creation time in a frame without parsing all of it: the listener must not be the bottleneck. */
export function madeAt(frame: string): number {
  const from = frame.lastIndexOf('"madeAt":') + '"madeAt":'.length;
  return Number(frame.slice(from, frame.indexOf("}", from)));
}
