/**
 * When a campaign is paused and an account rested: by shares of their last outcomes. The shares are settings; that a
 * campaign should stop on rates and not on counts is what users of such systems ask for, and a sample too small says
 * nothing.
 */
import type { Settings } from "shared/settings.ts";
import { countOf } from "../admin/hebrew_count.ts";

/** Fewer outcomes than this trip nothing: one bad number among ten is no signal. */
export const LEAST_SAMPLE = 50;
/** A window reaches back over this many outcomes, or a little more: what went well long ago hides nothing. */
export const WINDOW_OUTCOMES = 200;
/** One ban moves its work to other accounts; the second one in a campaign is a signal about the campaign. */
export const BANS_THAT_TRIP = 2;

export const SIGNALS = ["opted_out", "failed", "unknown", "bans"] as const;
export type Signal = (typeof SIGNALS)[number];

/** Outcomes within a window; `optedOut` recipients of it asked to be removed. */
export interface OutcomeWindow {
  outcomes: number;
  failed: number;
  unknown: number;
  optedOut: number;
}

export interface Trip {
  signal: Signal;
  count: number;
  sample: number;
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
  const sample = window.outcomes;
  if (sample < leastSample) return null;
  const shares: [Signal, number, number][] = [
    ["opted_out", window.optedOut, limits.breakerOptOutPercent],
    ["failed", window.failed, limits.breakerFailedPercent],
    ["unknown", window.unknown, limits.breakerUnknownPercent],
  ];
  const over = shares.find(([, count, percent]) => percent < 100 && count * 100 > percent * sample);
  return over === undefined ? null : { signal: over[0], count: over[1], sample };
}

/** Why it stopped, and what to look at before going on, in Hebrew. */
export function tripSentence({ signal, count, sample }: Trip): string {
  const share = `${Math.round((1000 * count) / sample) / 10}%`;
  switch (signal) {
    case "opted_out":
      return `${share} מהנמענים האחרונים ביקשו הסרה (${count} מתוך ${sample}). כדאי לבדוק למי נשלחת ההודעה ומה כתוב בה.`;
    case "failed":
      return `${share} מההודעות האחרונות נכשלו (${count} מתוך ${sample}). כדאי לבדוק את רשימת המספרים.`;
    case "unknown":
      return `${share} מההודעות האחרונות במצב לא ידוע (${count} מתוך ${sample}). כדאי לבדוק את המכשירים ואת האתר.`;
    case "bans":
      return `${
        countOf(count, "account")
      } נחסמו או הוגבלו בזמן ששלחו את הקמפיין. כדאי לבדוק את נוסח ההודעה ואת הרשימה.`;
  }
}
