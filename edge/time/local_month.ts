/** Months of Israel's calendar, as "2026-11". */
import { localDay, localMidnight } from "./local_day.ts";

/** Returns the month of an instant. */
export function localMonth(at: number): string {
  const day = String(localDay(at));
  return `${day.slice(0, 4)}-${day.slice(4, 6)}`;
}

/** Returns the instant at which a month began. */
export function startOfMonth(month: string): number {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return localMidnight(Date.UTC(year, number - 1, 1, 12));
}

/** Returns the month `count` months later; earlier when it is negative. */
export function addMonths(month: string, count: number): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
