/**
 * A new account's day: it starts at 20 messages and grows by a fifth with every green day, until it reaches the cap
 * of the settings. The app publishes no figure; the start is the product's stated rule, and growth by a share of
 * what went well before is how senders of mail warm an address.
 */
import { localMidnight } from "../time/local_day.ts";

/** Messages of the first day. */
export const WARM_UP_START = 20;
/** What each green day multiplies the day before by; 15 days lead from 20 to the default cap of 250. */
export const WARM_UP_GROWTH = 1.2;
/** The highest cap the settings allow: beyond it there is nothing to warm up to. */
const HIGHEST_CAP = 10_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A first day shorter than this counts with the second: else one of 25 hours would pass for two to who is born early. */
const LEAST_FIRST_DAY_MS = HOUR_MS;

/** The caps of a young account's days: 20, 24, 28, 34, 41, 49, 59, 71, 85, 103, 123, 148, 178, 213, 256 and so on. */
export const WARM_UP_STEPS: readonly number[] = listSteps();

function listSteps(): number[] {
  const steps: number[] = [];
  for (let cap = WARM_UP_START; cap < HIGHEST_CAP; cap *= WARM_UP_GROWTH) steps.push(Math.floor(cap));
  return steps;
}

/** What an account's age is counted from, as columns of `accounts` hold it, in ms. */
export interface Birth {
  firstInstalledAt: number | null;
  firstSeenAt: number;
  /** When it was last banned or restricted: from there it warms up anew. */
  bannedAt: number | null;
}

/** Since when an account is warmed up, ms: its app's first install, else the day it was first seen; or its last ban. */
export function bornAt({ firstInstalledAt, firstSeenAt, bannedAt }: Birth): number {
  return Math.max(firstInstalledAt ?? firstSeenAt, bannedAt ?? 0);
}

/**
 * Local midnights an account has lived through at `now`, never more and at most one less; it stays the same all through
 * a local day.
 */
export function ageDays(born: number, now: number): number {
  return Math.max(0, Math.ceil((localMidnight(now) - born - LEAST_FIRST_DAY_MS) / DAY_MS));
}

/**
 * Messages an account may send on a day of its life.
 *
 * @param age what ageDays() says
 * @param heldDays those of its days that were not green, and so did not let it grow
 * @param maxPerDay the settings' cap
 */
export function warmUpCap(age: number, heldDays: number, maxPerDay: number): number {
  const step = WARM_UP_STEPS[Math.max(0, age - heldDays)];
  return Math.min(maxPerDay, step ?? maxPerDay);
}

/**
 * warmUpCap() in SQL over `accounts a`; needs :day and :dayStart, the local day and its first instant. From midnight
 * until the account is weighed nobody knows whether yesterday was green, so it has not grown yet.
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
