/** The days of a repeat: weekly, monthly, or on days of the Hebrew calendar. Days are of Israel, yyyy-mm-dd. */
import { dayAfter } from "./israel_time.ts";

/** As Intl names them in English; Adar of a leap year is its second. */
export const HEBREW_MONTHS = [
  "Tishri",
  "Heshvan",
  "Kislev",
  "Tevet",
  "Shevat",
  "Adar",
  "Nisan",
  "Iyar",
  "Sivan",
  "Tamuz",
  "Av",
  "Elul",
] as const;
export type HebrewMonth = (typeof HEBREW_MONTHS)[number];

/**
 * weekly: weekdays, 0 = Sunday. monthly, hebrew_monthly: days of the month; a day that a month lacks is its last one.
 * hebrew_yearly: dates of the Hebrew year, likewise.
 */
export type RepeatRule =
  | { kind: "weekly"; weekdays: number[] }
  | { kind: "monthly"; days: number[] }
  | { kind: "hebrew_monthly"; days: number[] }
  | { kind: "hebrew_yearly"; dates: { month: HebrewMonth; day: number }[] };

const hebrew = new Intl.DateTimeFormat("en-u-ca-hebrew", {
  timeZone: "UTC",
  year: "numeric",
  month: "long",
  day: "numeric",
});

/** Returns whether a repeat has a run on a day. */
export function isRunDay(rule: RepeatRule, day: string): boolean {
  switch (rule.kind) {
    case "weekly":
      return rule.weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay());
    case "monthly":
      return matches(rule.days, Number(day.slice(8)), dayAfter(day, 1).endsWith("-01"));
    case "hebrew_monthly":
      return matches(rule.days, hebrewDayOf(day).day, isLastOfHebrewMonth(day));
    case "hebrew_yearly": {
      const { month, day: date } = hebrewDayOf(day);
      const days = rule.dates.filter((one) => one.month === month).map((one) => one.day);
      return matches(days, date, isLastOfHebrewMonth(day));
    }
  }
}

/** Returns the run days from `first` to `last`, both included, in order; at most `most`. */
export function runDays(rule: RepeatRule, first: string, last: string, most = Infinity): string[] {
  const days: string[] = [];
  for (let day = first; day <= last && days.length < most; day = dayAfter(day, 1)) {
    if (isRunDay(rule, day)) days.push(day);
  }
  return days;
}

/** A later day than the last of the month stands for the last. */
function matches(days: readonly number[], day: number, isLast: boolean): boolean {
  return days.includes(day) || (isLast && days.some((one) => one > day));
}

/** The month of a leap year's first Adar is "Adar I", which no rule names. */
function hebrewDayOf(day: string): { month: string; day: number } {
  const parts = hebrew.formatToParts(Date.parse(`${day}T00:00:00Z`));
  const valueOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  const month = valueOf("month");
  return { month: month === "Adar II" ? "Adar" : month, day: Number(valueOf("day")) };
}

function isLastOfHebrewMonth(day: string): boolean {
  return hebrewDayOf(dayAfter(day, 1)).day === 1;
}
