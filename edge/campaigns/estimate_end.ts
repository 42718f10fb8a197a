/** When a campaign ends: the only estimate of the product. Pages, lists and the capacity board show it in words. */
import { ESTIMATE_SECONDS_PER_MESSAGE } from "shared/campaign.ts";
import {
  closesAt,
  type DayKind,
  dayKind,
  isOpen,
  opensAt,
  type SendingHours,
} from "../time/sending_hours.ts";
import { instantOfHour, localDate, msToLocalMidnight } from "../time/local_day.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A later end is no estimate. */
const MOST_DAYS = 180;
/** The product's stated rule counts for a running campaign until its pace can be measured, and no longer than this. */
const FIRST_MS = MINUTE_MS;
/** A phone needs about this long for a message, by the product's stated rule. */
const MESSAGE_MS = ESTIMATE_SECONDS_PER_MESSAGE * 1000;

/** What the working phones may send together, over all clients. */
export interface FleetCapacity {
  /** In the present clock hour, and until midnight in Israel. */
  leftNow: number;
  leftToday: number;
  /** In a later hour and a later day, at the caps of today. */
  perHour: number;
  perDay: number;
  /** How many phones share it, and the least time between two messages of one phone, in ms. */
  phones: number;
  paceMs: number;
}

export interface EstimateFacts {
  now: number;
  /** Messages of the campaign that wait or are on phones. */
  waiting: number;
  /** Messages of the same client's campaigns that go before it. */
  ahead: number;
  /** Messages of each other client: clients take turns. */
  others: readonly number[];
  /** The sending hours, if they bind the campaign. */
  hours: SendingHours | null;
  capacity: FleetCapacity;
  /** Messages a minute as measured; null = not measured. */
  pace: number | null;
  /** Nothing goes before this, in ms: a send that comes later, the wait after a pilot wave. */
  startsAt: number;
  /** Its last message does not go before this, in ms: the wait before a retry. */
  lastNotBefore: number;
  /** Its own limit a day, and what of it is used today. */
  dayLimit?: { most: number; usedToday: number };
}

/**
 * Returns when the last message goes, in ms, by pace, caps, hours and holidays; null when the fleet can send nothing,
 * or only in more than half a year.
 */
export function estimateEnd(facts: EstimateFacts): number | null {
  const { now, waiting, ahead, others, capacity, pace, hours } = facts;
  if (waiting === 0) return Math.max(now, facts.startsAt);
  const own = waiting + ahead;
  // While clients take turns, each other one is served as much as this one, or all that it has.
  const load = own + others.reduce((sum, other) => sum + Math.min(other, own), 0);
  const byPhones = capacity.phones / Math.max(capacity.paceMs, MESSAGE_MS);
  const speed = pace === null || pace === 0 ? byPhones : (pace / MINUTE_MS) * (load / own);
  if (speed <= 0) return null;
  const sent = endOfLoad(load, speed, Math.max(now, facts.startsAt), facts);
  if (sent === null) return null;
  const spread = endOfDays(facts, speed * (own / load));
  if (spread === null) return null;
  const last = Math.max(sent, spread, facts.lastNotBefore);
  return hours === null ? last : isOpen(last, hours) || last === sent ? last : opensAt(last, hours);
}

/** Returns when a running campaign ends by the product's stated rule: three seconds a message. */
export function endByRule(waiting: number, now: number): number {
  return now + waiting * MESSAGE_MS;
}

/** Returns whether the stated rule still counts: a campaign that began just now, and whose pace is not measured. */
export function isFirstMoment(startedAt: number | null, pace: number | null, now: number): boolean {
  return pace === null && startedAt !== null && now - startedAt <= FIRST_MS;
}

/** Messages of a campaign with an outcome at a time, in ms. */
export interface PaceMark {
  at: number;
  outcomes: number;
}

/** Marks of this age tell the present pace. */
export const PACE_WINDOW_MS = 10 * MINUTE_MS;
/** An older last message says nothing about the present. */
const STILL_MS = 5 * MINUTE_MS;
const LEAST_SPAN_MS = 5_000;
const LEAST_OUTCOMES = 5;
const MANY_OUTCOMES = 100;

/**
 * Returns messages a minute over the last minutes; null while too little is known. `mark` is the oldest one of
 * PACE_WINDOW_MS.
 */
export function measuredPace(
  { outcomes, startedAt, lastSentAt }: {
    outcomes: number;
    startedAt: number | null;
    lastSentAt: number | null;
  },
  mark: PaceMark | null,
  now: number,
): number | null {
  if (startedAt === null || lastSentAt === null || now - lastSentAt > STILL_MS) return null;
  if (mark !== null && mark.at > startedAt) {
    const [more, span] = [outcomes - mark.outcomes, now - mark.at];
    if (more > 0 && span > 0 && (span >= LEAST_SPAN_MS || more >= MANY_OUTCOMES)) {
      return (more * MINUTE_MS) / span;
    }
  }
  const span = lastSentAt - startedAt;
  const isYoung = now - startedAt <= PACE_WINDOW_MS;
  return isYoung && span >= LEAST_SPAN_MS && outcomes >= LEAST_OUTCOMES
    ? (outcomes * MINUTE_MS) / span
    : null;
}

/** Returns when `load` messages have gone at `speed` (messages a ms) from `start` on. */
function endOfLoad(
  load: number,
  speed: number,
  start: number,
  { now, capacity, hours }: Pick<EstimateFacts, "now" | "capacity" | "hours">,
): number | null {
  const today = localDate(now);
  const first = localDate(start);
  const end = today + MOST_DAYS;
  /** What goes on a whole later day of each kind. */
  const whole = new Map<DayKind, number>();
  let rest = load;
  for (let date = first; date < end; date++) {
    const kind = hours === null ? "full" : dayKind(date);
    if (kind === "closed") continue;
    const isWhole = date > today && date > first;
    const known = isWhole ? whole.get(kind) : undefined;
    if (known !== undefined && rest > known) {
      rest -= known;
      continue;
    }
    const window = openWindow(date, start, hours);
    if (window === null) continue;
    const most = date === today ? capacity.leftToday : capacity.perDay;
    const sendable = known ?? Math.min(
      most,
      hoursOf(window).reduce((sum, hour) => sum + inHour(hour, speed, capacity, now), 0),
    );
    if (isWhole) whole.set(kind, sendable);
    if (rest > sendable) {
      rest -= sendable;
      // No later day can take more than a full one.
      if (isWhole && kind === "full" && rest > sendable * (end - date)) return null;
      continue;
    }
    for (const hour of hoursOf(window)) {
      const here = inHour(hour, speed, capacity, now);
      if (rest <= here) return Math.ceil(hour.from + rest / speed);
      rest -= here;
    }
    return window.until;
  }
  return null;
}

/** Returns when the last message may go by the campaign's own limit a day, ms; 0 without one. `speed` is its own. */
function endOfDays(
  { now, waiting, startsAt, hours, dayLimit }: EstimateFacts,
  speed: number,
): number | null {
  if (dayLimit === undefined) return 0;
  const start = Math.max(now, startsAt);
  let rest = waiting;
  const first = localDate(start);
  for (let date = first; date < localDate(now) + MOST_DAYS; date++) {
    const window = hours !== null && dayKind(date) === "closed" ? null : openWindow(date, start, hours);
    if (window === null) continue;
    const today = date === localDate(now) ? Math.max(0, dayLimit.most - dayLimit.usedToday) : dayLimit.most;
    if (rest <= today) return Math.min(window.until, Math.ceil(window.from + rest / speed));
    rest -= today;
  }
  return null;
}

interface Span {
  from: number;
  until: number;
}

/** Returns the part of a local day after `start` in which the campaign may go, or null. */
function openWindow(date: number, start: number, hours: SendingHours | null): Span | null {
  const begins = Math.max(start, instantOfHour(date, hours?.sendingOpensAt ?? 0));
  if (localDate(begins) !== date) return null;
  const ends = hours === null ? begins + msToLocalMidnight(begins) : closesAt(begins, hours);
  return ends > begins ? { from: begins, until: ends } : null;
}

/** Returns the clock hours of a span, the first and the last as far as they are in it. */
function hoursOf({ from, until }: Span): Span[] {
  const spans: Span[] = [];
  for (let at = from; at < until;) {
    const next = Math.min(until, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS);
    spans.push({ from: at, until: next });
    at = next;
  }
  return spans;
}

/** Returns what goes in one clock hour. */
function inHour(
  { from, until }: Span,
  speed: number,
  { leftNow, perHour }: FleetCapacity,
  now: number,
): number {
  const isPresent = Math.floor(from / HOUR_MS) === Math.floor(now / HOUR_MS);
  return Math.min((until - from) * speed, isPresent ? leftNow : perHour);
}
