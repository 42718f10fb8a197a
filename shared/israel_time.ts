/** Days and times of Israel's clock as instants, with its two changes a year. */

const ZONE = "Asia/Jerusalem";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: ZONE,
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
});

/**
 * Returns the instant, ms, of so many minutes after midnight on a day of Israel, yyyy-mm-dd. Of a time that the clock
 * shows twice it is the first; null for a time that the clock leaves out, and for what is no day.
 */
export function israelInstant(day: string, minutes: number): number | null {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return null;
  const shown = midnight + minutes * MINUTE_MS;
  // The two offsets of that day: Israel is always two or three hours ahead.
  const found = [3, 2].map((hours) => shown - hours * 60 * MINUTE_MS).filter((at) => shownAt(at) === shown);
  return found.length === 0 ? null : Math.min(...found);
}

/** Returns the day of Israel's clock at an instant, yyyy-mm-dd. */
export function israelDay(at: number): string {
  return new Date(shownAt(at)).toISOString().slice(0, 10);
}

/** Returns the minutes after midnight that Israel's clock shows at an instant. */
export function israelMinutes(at: number): number {
  const shown = shownAt(at);
  return Math.floor((shown - Math.floor(shown / DAY_MS) * DAY_MS) / MINUTE_MS);
}

/** Returns the day so many days after another; both yyyy-mm-dd. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns what Israel's clock shows at an instant, as if it were UTC, to the minute. */
function shownAt(at: number): number {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0 };
  for (const { type, value } of clock.formatToParts(at)) {
    if (type in shown) shown[type as keyof typeof shown] = Number(value);
  }
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute);
}
