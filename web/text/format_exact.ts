/** Longer time formats, which the first screens do not use. */
import { formatDate, formatTime, ZONE } from "./format.ts";

const secondsOf = new Intl.DateTimeFormat("he-IL", {
  timeZone: ZONE,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const weekdayOf = new Intl.DateTimeFormat("he-IL", { timeZone: ZONE, weekday: "long" });

/** "14:32:07". */
export function formatTimeWithSeconds(at: number): string {
  return secondsOf.format(at);
}

/** "יום רביעי, 23.9.2026 · 14:32". */
export function formatWeekday(at: number): string {
  return `${weekdayOf.format(at)}, ${formatDate(at)} · ${formatTime(at)}`;
}
