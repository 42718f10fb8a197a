/** Days are counted in Asia/Jerusalem, where the product sends, with daylight saving. */

const TIME_ZONE = "Asia/Jerusalem";
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: TIME_ZONE,
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
});
const MOST_OFFSETS = 1000;
const offsets = new Map<number, number>();

/** Returns the local day of an instant as yyyymmdd. */
export function localDay(at: number): number {
  const { year, month, day } = readClock(at);
  return year * 10_000 + month * 100 + day;
}

/** Returns milliseconds from an instant to the next local midnight; a day of a clock change has 23 or 25 hours. */
export function msToLocalMidnight(at: number): number {
  const { year, month, day } = readClock(at);
  return instantOf(Date.UTC(year, month - 1, day + 1)) - at;
}

/** Returns the instant at which the local day of `at` began. */
export function localMidnight(at: number): number {
  const { year, month, day } = readClock(at);
  return instantOf(Date.UTC(year, month - 1, day));
}

/** Returns the instant of yesterday with the same local time as `at`: 23, 24 or 25 hours before. */
export function sameTimeYesterday(at: number): number {
  return instantOf(at + offsetMs(at) - DAY_MS);
}

/** Returns the local hour, 0–23. */
export function localHour(at: number): number {
  return readClock(at).hour;
}

/** Returns the days from 1 January 1970 to the local date of an instant. */
export function localDate(at: number): number {
  const { year, month, day } = readClock(at);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** Returns the instant of a full local hour on a day numbered by localDate(). */
export function instantOfHour(date: number, hour: number): number {
  return instantOf(date * DAY_MS + hour * HOUR_MS);
}

/** Returns the instant whose local time equals the UTC time of `shown`. */
function instantOf(shown: number): number {
  // The offset is read twice: a clock change may lie between the guess and the result.
  const guess = shown - offsetMs(shown);
  return shown - offsetMs(guess);
}

/**
 * Returns the local offset, read once an hour: the clock changes at full UTC hours, and reading takes longer than a
 * statement.
 */
function offsetMs(at: number): number {
  const hour = Math.floor(at / HOUR_MS);
  let offset = offsets.get(hour);
  if (offset === undefined) {
    if (offsets.size >= MOST_OFFSETS) offsets.clear();
    offsets.set(hour, offset = askOffset(hour * HOUR_MS));
  }
  return offset;
}

function askOffset(at: number): number {
  const shown = { year: 0, month: 0, day: 0, hour: 0 };
  for (const { type, value } of clock.formatToParts(at)) {
    if (type in shown) shown[type as keyof typeof shown] = Number(value);
  }
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour) - at;
}

function readClock(at: number): Record<"year" | "month" | "day" | "hour", number> {
  const shown = new Date(at + offsetMs(at));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
  };
}
