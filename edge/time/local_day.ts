/** Days are counted where the product sends: in Asia/Jerusalem, daylight saving included. */

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

/** The local day of an instant, as yyyymmdd. */
export function localDay(at: number): number {
  const { year, month, day } = readClock(at);
  return year * 10_000 + month * 100 + day;
}

/** Milliseconds from an instant to the next local midnight; a day of a clock change has 23 or 25 hours. */
export function msToLocalMidnight(at: number): number {
  const { year, month, day } = readClock(at);
  return instantOf(Date.UTC(year, month - 1, day + 1)) - at;
}

/** The instant at which the local day of `at` began. */
export function localMidnight(at: number): number {
  const { year, month, day } = readClock(at);
  return instantOf(Date.UTC(year, month - 1, day));
}

/** The instant at which the local clock showed yesterday what it shows at `at`: 23, 24 or 25 hours before. */
export function sameTimeYesterday(at: number): number {
  return instantOf(at + offsetMs(at) - DAY_MS);
}

/** The hour that the local clock shows, 0–23. */
export function localHour(at: number): number {
  return readClock(at).hour;
}

/** Days from 1 January 1970 to the local date of an instant. */
export function localDate(at: number): number {
  const { year, month, day } = readClock(at);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** The instant at which the local clock shows a full hour of a day that localDate() numbered. */
export function instantOfHour(date: number, hour: number): number {
  return instantOf(date * DAY_MS + hour * HOUR_MS);
}

/** The instant at which the local clock shows what `shown` shows in UTC. */
function instantOf(shown: number): number {
  // The offset is asked for twice: a clock change may lie between the first guess and the answer.
  const guess = shown - offsetMs(shown);
  return shown - offsetMs(guess);
}

/** The clock is changed at full hours of UTC, and is asked once an hour: the answer takes longer than a statement. */
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
