/** Days are counted where the product sends: in Asia/Jerusalem, daylight saving included. */

const TIME_ZONE = "Asia/Jerusalem";
const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: TIME_ZONE,
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

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

/** The instant at which the local clock shows what `shown` shows in UTC. */
function instantOf(shown: number): number {
  // The offset is asked for twice: a clock change may lie between the first guess and the answer.
  const guess = shown - offsetMs(shown);
  return shown - offsetMs(guess);
}

function offsetMs(at: number): number {
  const { year, month, day, hour, minute, second } = readClock(at);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function readClock(at: number): Record<"year" | "month" | "day" | "hour" | "minute" | "second", number> {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of clock.formatToParts(at)) {
    if (type in shown) shown[type as keyof typeof shown] = Number(value);
  }
  return shown;
}
