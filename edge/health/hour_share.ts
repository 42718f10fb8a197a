/**
 * A day's cap is not burnt in an hour: of its day an account may take a share (the settings' `hourlyPercent`, default
 * 25) in one clock hour, so that a full day takes four hours or more. A person writes through a day, not in one burst.
 */

/** Every hour allows this many, within the day: a share of a very small cap would be one or none. */
export const HOUR_FLOOR = 5;

/** Messages an account may take in one clock hour of a day whose cap is `dayCap`. */
export function hourCap(dayCap: number, hourlyPercent: number): number {
  return Math.min(dayCap, Math.max(HOUR_FLOOR, Math.ceil((dayCap * hourlyPercent) / 100)));
}

/** hourCap() in SQL over whole numbers. */
export function hourCapSql(dayCap: string, hourlyPercent: string): string {
  return `min(${dayCap}, max(${HOUR_FLOOR}, (${dayCap} * ${hourlyPercent} + 99) / 100))`;
}
