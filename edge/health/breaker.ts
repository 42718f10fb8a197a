/**
 * When to pause a campaign or rest an account, by shares of the last outcomes. The settings hold the shares. Users of
 * such systems ask for stops on rates instead of counts. A sample that is too small gives no rate.
 */
import type { Settings } from "shared/settings.ts";
import type { Signal, Trip } from "../text/trip_words.ts";

/** Fewer outcomes trip nothing: one bad number among ten is no signal. */
export const LEAST_SAMPLE = 50;
/** A window covers this many outcomes, or a little more, so that old successes hide nothing. */
export const WINDOW_OUTCOMES = 200;
/** After one ban its work moves to other accounts; a second ban in a campaign is a signal about the campaign. */
export const BANS_THAT_TRIP = 2;

/** Outcomes within a window; `optedOut` = its recipients who asked to be removed. */
export interface OutcomeWindow {
  outcomes: number;
  failed: number;
  unknown: number;
  optedOut: number;
}

/** The part of a window reported by one site's unconfirmed accounts. */
export interface SiteWindow extends OutcomeWindow {
  site: number;
}

/** The consequences of a window. */
export interface Judgement {
  /** Pause the campaign. */
  trip: Trip | null;
  /** Rest the unconfirmed accounts of these sites: only they have the bad share. */
  doubted: readonly { site: number; why: Trip }[];
}

export type BreakerLimits = Pick<
  Settings,
  "breakerFailedPercent" | "breakerUnknownPercent" | "breakerOptOutPercent"
>;

/** Returns the first signal above its share; recipients' reactions come before phones' reports. Null = none. */
export function trippedBy(
  window: OutcomeWindow,
  limits: BreakerLimits,
  leastSample = LEAST_SAMPLE,
): Trip | null {
  return signalsOver(window, limits, leastSample)[0] ?? null;
}

/**
 * Judges a window; `parts` came from unconfirmed accounts. A signal pauses the campaign only if it is also over its
 * share without any single site's part. If the rest is below the least sample, the missing outcomes count as successes.
 */
export function judgeBySite(
  window: OutcomeWindow,
  parts: readonly SiteWindow[],
  limits: BreakerLimits,
  leastSample = LEAST_SAMPLE,
): Judgement {
  const doubted = new Map<number, Trip>();
  let trip: Trip | null = null;
  for (const over of signalsOver(window, limits, leastSample)) {
    const shareOver = (some: OutcomeWindow) =>
      signalsOver(some, limits, 1).find(({ signal }) => signal === over.signal);
    const decisive = parts.filter((part) => {
      const others = without(window, part);
      return !shareOver({ ...others, outcomes: Math.max(others.outcomes, leastSample) });
    });
    if (decisive.length === 0) trip ??= over;
    for (const part of decisive) {
      const why = shareOver(part);
      if (why && !doubted.has(part.site)) doubted.set(part.site, why);
    }
  }
  return { trip, doubted: [...doubted].map(([site, why]) => ({ site, why })) };
}

/** Returns a window without one part. */
export function without(window: OutcomeWindow, part: OutcomeWindow): OutcomeWindow {
  const left = (name: keyof OutcomeWindow) => Math.max(0, window[name] - part[name]);
  return {
    outcomes: left("outcomes"),
    failed: left("failed"),
    unknown: left("unknown"),
    optedOut: left("optedOut"),
  };
}

function signalsOver(window: OutcomeWindow, limits: BreakerLimits, leastSample: number): Trip[] {
  const sample = window.outcomes;
  if (sample < leastSample) return [];
  const shares: [Signal, number, number][] = [
    ["opted_out", window.optedOut, limits.breakerOptOutPercent],
    ["failed", window.failed, limits.breakerFailedPercent],
    ["unknown", window.unknown, limits.breakerUnknownPercent],
  ];
  return shares.filter(([, count, percent]) => percent < 100 && count * 100 > percent * sample)
    .map(([signal, count]) => ({ signal, count, sample }));
}
