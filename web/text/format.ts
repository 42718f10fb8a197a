/** Formats numbers, times and ages for people. Days are Jerusalem's days, on screen and server alike. */

export const ZONE = "Asia/Jerusalem";
const MINUS = "\u2212";
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const grouped = new Intl.NumberFormat("en-US");
const timeOf = new Intl.DateTimeFormat("he-IL", {
  timeZone: ZONE,
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const dateOf = new Intl.DateTimeFormat("he-IL", {
  timeZone: ZONE,
  year: "numeric",
  month: "numeric",
  day: "numeric",
});

/** "12,480"; a minus is the real sign, U+2212. */
export function formatNumber(value: number): string {
  return value < 0 ? MINUS + grouped.format(-value) : grouped.format(value);
}

/** "+35", "−3,200", "0". */
export function formatChange(delta: number): string {
  return delta > 0 ? `+${formatNumber(delta)}` : formatNumber(delta);
}

/** "14:32". `at` in ms since the epoch. */
export function formatTime(at: number): string {
  return timeOf.format(at);
}

/** "23.9.2026". */
export function formatDate(at: number): string {
  return dateOf.format(at);
}

/** "היום", "אתמול", or the date. */
export function formatDay(at: number, now: number): string {
  const day = formatDate(at);
  if (day === formatDate(now)) return "היום";
  return dayNumber(now) - dayNumber(at) === 1 ? "אתמול" : day;
}

/** Returns a calendar day's number; a day with a clock change has 23 or 25 hours. */
function dayNumber(at: number): number {
  const [day, month, year] = formatDate(at).split(".").map(Number);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** "היום ב־14:32", "אתמול ב־18:40", "23.9.2026 ב־14:32". */
export function formatMoment(at: number, now: number): string {
  return `${formatDay(at, now)} ב־${formatTime(at)}`;
}

/** Formats a time that an old screen may still show: "14:32", and for another day "21.11.2026 ב־14:32". */
export function formatTimeSince(at: number, now: number): string {
  const day = formatDate(at);
  return day === formatDate(now) ? formatTime(at) : `${day} ב־${formatTime(at)}`;
}

/** Formats an age, with Hebrew's own words for one and two: "לפני 8 שנ׳", "לפני שעתיים", "לפני יום". */
export function formatAge(ageMs: number): string {
  const age = Math.max(0, ageMs);
  if (age < 2 * SECOND_MS) return "לפני שנייה";
  if (age < MINUTE_MS) return `לפני ${Math.floor(age / SECOND_MS)} שנ׳`;
  if (age < HOUR_MS) return `לפני ${spanOf(age / MINUTE_MS, "דקה", "שתי דקות", "דקות")}`;
  if (age < DAY_MS) return `לפני ${spanOf(age / HOUR_MS, "שעה", "שעתיים", "שעות")}`;
  if (age < 7 * DAY_MS) return `לפני ${spanOf(age / DAY_MS, "יום", "יומיים", "ימים")}`;
  if (age < 30 * DAY_MS) return `לפני ${spanOf(age / (7 * DAY_MS), "שבוע", "שבועיים", "שבועות")}`;
  if (age < 365 * DAY_MS) return `לפני ${spanOf(age / (30 * DAY_MS), "חודש", "חודשיים", "חודשים")}`;
  return `לפני ${spanOf(age / (365 * DAY_MS), "שנה", "שנתיים", "שנים")}`;
}

/** Formats a duration without "ago": "שתי דקות", "3 שעות". */
export function formatSpan(spanMs: number): string {
  return formatAge(spanMs).replace("לפני ", "");
}

/** "2.4 MB", "812 kB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function spanOf(exact: number, one: string, two: string, many: string): string {
  const count = Math.floor(exact);
  if (count === 1) return one;
  if (count === 2) return two;
  return `${count} ${many}`;
}
