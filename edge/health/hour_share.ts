/**
 * Spreads an account's daily cap: one clock hour may use only a share of it (the settings' `hourlyPercent`, default
 * 25). A full day therefore takes four hours or more. A person writes throughout a day, not in one burst.
 */

/** Every hour allows this many within the daily cap: a share of a very small cap would be one or none. */
export const HOUR_FLOOR = 5;

/** Returns the messages that an account may take in one clock hour of a day with the cap `dayCap`. */
export function hourCap(dayCap: number, hourlyPercent: number): number {
  return Math.min(dayCap, Math.max(HOUR_FLOOR, Math.ceil((dayCap * hourlyPercent) / 100)));
}

/** The same as hourCap(), in SQL over integers. */
export function hourCapSql(dayCap: string, hourlyPercent: string): string {
  return `min(${dayCap}, max(${HOUR_FLOOR}, (${dayCap} * ${hourlyPercent} + 99) / 100))`;
}
