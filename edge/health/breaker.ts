/**
 * When a campaign is paused and an account rested: by shares of their last outcomes. The shares are settings; that a
 * campaign should stop on rates and not on counts is what users of such systems ask for, and a sample too small says
 * nothing.
 */
import type { Settings } from "shared/settings.ts";
import type { Signal, Trip } from "../text/trip_words.ts";

/** Fewer outcomes than this trip nothing: one bad number among ten is no signal. */
export const LEAST_SAMPLE = 50;
/** A window reaches back over this many outcomes, or a little more: what went well long ago hides nothing. */
export const WINDOW_OUTCOMES = 200;
/** One ban moves its work to other accounts; the second one in a campaign is a signal about the campaign. */
export const BANS_THAT_TRIP = 2;

/** Outcomes within a window; `optedOut` recipients of it asked to be removed. */
export interface OutcomeWindow {
  outcomes: number;
  failed: number;
  unknown: number;
  optedOut: number;
}

/** The part of a window that the unconfirmed accounts of one site told. */
export interface SiteWindow extends OutcomeWindow {
  site: number;
}

/** What a window asks for. */
export interface Judgement {
  /** Pause the campaign. */
  trip: Trip | null;
  /** Rest the unconfirmed accounts of these sites: the bad share is theirs alone. */
  doubted: readonly { site: number; why: Trip }[];
}

export type BreakerLimits = Pick<
  Settings,
  "breakerFailedPercent" | "breakerUnknownPercent" | "breakerOptOutPercent"
>;

/** The first signal above its share, what people say themselves before what phones tell; null = none. */
export function trippedBy(
  window: OutcomeWindow,
  limits: BreakerLimits,
  leastSample = LEAST_SAMPLE,
): Trip | null {
  return signalsOver(window, limits, leastSample)[0] ?? null;
}

/**
 * Judges a window of which `parts` came from accounts that nobody confirmed. A signal pauses the campaign only if it is
 * also over its share without each single site's part. What that leaves short of the least sample counts as gone well.
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

/** A window without a part of it. */
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
