/**
 * The daily cap of a new account. It starts at 20 messages and grows by a fifth with every green day, up to the
 * settings' cap. The app publishes no figure. The start is the product's own rule. Email senders warm up an address by
 * the same growth in proportion to past success.
 */
import { localMidnight } from "../time/local_day.ts";

/** The first day's messages. */
export const WARM_UP_START = 20;
/** The factor for each green day; 15 days lead from 20 to the default cap of 250. */
const WARM_UP_GROWTH = 1.2;
/** The highest cap that the settings allow; the warm-up ends there. */
const HIGHEST_CAP = 10_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * A shorter first day counts with the second. Otherwise an account born early in a day of 25 hours would count two
 * days.
 */
const LEAST_FIRST_DAY_MS = HOUR_MS;

/** The caps of a young account's days: 20, 24, 28, 34, 41, 49, 59, 71, 85, 103, 123, 148, 178, 213, 256 and so on. */
export const WARM_UP_STEPS: readonly number[] = listSteps();

function listSteps(): number[] {
  const steps: number[] = [];
  for (let cap = WARM_UP_START; cap < HIGHEST_CAP; cap *= WARM_UP_GROWTH) steps.push(Math.floor(cap));
  return steps;
}

/** The times that give an account's age, as the columns of `accounts` hold them, in ms. */
export interface Birth {
  firstInstalledAt: number | null;
  firstSeenAt: number;
  /** The last ban or restriction: the warm-up starts again from there. */
  bannedAt: number | null;
}

/**
 * Returns the start of an account's warm-up, in ms: its last ban or its birth, whichever is later. Its birth is its
 * app's first install, or without that the day it was first seen.
 */
export function bornAt({ firstInstalledAt, firstSeenAt, bannedAt }: Birth): number {
  return Math.max(firstInstalledAt ?? firstSeenAt, bannedAt ?? 0);
}

/**
 * Returns how many local midnights an account has lived through at `now`, or one less. The result is constant within a
 * local day.
 */
export function ageDays(born: number, now: number): number {
  return Math.max(0, Math.ceil((localMidnight(now) - born - LEAST_FIRST_DAY_MS) / DAY_MS));
}

/**
 * Returns the messages that an account may send on a day of its life.
 *
 * @param age the result of ageDays()
 * @param heldDays days that were not green, and so did not let it grow
 * @param maxPerDay the settings' cap
 */
export function warmUpCap(age: number, heldDays: number, maxPerDay: number): number {
  const step = WARM_UP_STEPS[Math.max(0, age - heldDays)];
  return Math.min(maxPerDay, step ?? maxPerDay);
}

/**
 * Returns warmUpCap() in SQL over `accounts a`; needs :day and :dayStart, the local day and its first instant. Between
 * midnight and the next weighing yesterday's result is unknown, so the cap has not grown yet.
 */
export function warmUpCapSql(maxPerDay: string, isEnabled: string): string {
  const born = "max(coalesce(a.first_installed_at, a.first_seen_at), coalesce(a.banned_at, 0))";
  // The cast: a driver may bind a number as a real, and reals divide without rounding.
  const age = `max(0, (CAST(:dayStart AS INTEGER) - ${born} + ${
    DAY_MS - LEAST_FIRST_DAY_MS - 1
  }) / ${DAY_MS})`;
  const step = `'${JSON.stringify(WARM_UP_STEPS)}' ->> max(0, ${age} - a.held_days
    - coalesce(a.weighed_day < :day, 0))`;
  return `CASE WHEN ${isEnabled} THEN min(${maxPerDay}, coalesce(${step}, ${maxPerDay})) ELSE ${maxPerDay} END`;
}
