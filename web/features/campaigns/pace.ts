import type { Campaign } from "shared/http_api.ts";

type Measured = Pick<Campaign, "startedAt" | "lastSentAt" | "sentCount" | "counts">;

/** How many were sent by when, in ms, as this screen saw it. */
export interface PaceSample {
  at: number;
  sent: number;
}

const WINDOW_MS = 5 * 60_000;
/** What was seen for less than this says little. */
const LEAST_MS = 60_000;

/** The samples of the last five minutes, with a new one. */
export function withSample(samples: readonly PaceSample[], sample: PaceSample): PaceSample[] {
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/**
 * Messages a minute over what this screen saw in the last minutes, so that a night's pause does not count; until a
 * minute was seen, from the start to the last one sent. Undefined while there is too little to measure.
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
  // What went at some pace before it stopped says nothing of now.
  if (now - lastSentAt > WINDOW_MS) return undefined;
  return perMinute(sentCount, lastSentAt - startedAt);
}

/** When the last message goes out if the pace holds, in ms since the epoch; undefined while nothing moves. */
export function endByPace({ counts }: Measured, pace: number | undefined, now: number): number | undefined {
  if (!pace) return undefined;
  return now + ((counts.queued + counts.leased) / pace) * 60_000;
}

function perMinute(count: number, spanMs: number): number {
  return count / (spanMs / 60_000);
}
