import type { Campaign } from "shared/http_api.ts";

type Measured = Pick<Campaign, "startedAt" | "lastSentAt" | "sentCount" | "counts">;

/** Number of sent messages at a time (ms), as this screen observed it. */
export interface PaceSample {
  at: number;
  sent: number;
}

const WINDOW_MS = 5 * 60_000;
/** A shorter observation is not reliable. */
const LEAST_MS = 60_000;

/** Returns the samples of the last five minutes, with a new one. */
export function withSample(samples: readonly PaceSample[], sample: PaceSample): PaceSample[] {
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/**
 * Returns messages per minute over the last minutes that this screen observed, so a night's pause does not count.
 * Before a full minute was observed, it uses the time from the start to the last sent message. Returns undefined
 * while there is too little to measure.
 */
export function measuredPace(
  { startedAt, lastSentAt, sentCount }: Measured,
  samples: readonly PaceSample[],
  now: number,
): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first && last && last.at - first.at >= LEAST_MS) {
    return perMinute(last.sent - first.sent, last.at - first.at);
  }
  if (startedAt === null || lastSentAt === null || sentCount < 2 || lastSentAt <= startedAt) return undefined;
  // An old pace says nothing about the present.
  if (now - lastSentAt > WINDOW_MS) return undefined;
  return perMinute(sentCount, lastSentAt - startedAt);
}

/** Returns the expected time of the last message at this pace, in ms since the epoch; undefined without progress. */
export function endByPace({ counts }: Measured, pace: number | undefined, now: number): number | undefined {
  if (!pace) return undefined;
  return now + ((counts.queued + counts.leased) / pace) * 60_000;
}

function perMinute(count: number, spanMs: number): number {
  return count / (spanMs / 60_000);
}
