import { toWirePhone } from "./wire_phone.ts";
import type { PhoneRange } from "./phone_search.ts";

/**
 * How a number is shown. In a sorted list, a row's place limits its number to a range. In a long list, that range and
 * the last four digits identify the number. There the end is masked too: ten million numbers remain, less those that
 * the place excludes.
 */
export type Masking = "none" | "middle" | "end";

/**
 * The largest list whose masked numbers keep their last four digits. A place in it leaves a hundred possible numbers.
 * In a list of a hundred rows, the first and last would leave some thirty.
 */
export const MOST_WITH_ENDS = 30;

/** Returns the masking for a list of `rows` rows. */
export function maskingOf(masked: boolean, rows: number): Masking {
  return masked ? rows > MOST_WITH_ENDS ? "end" : "middle" : "none";
}

/** Returns a stored number for display; "" for an erased or forgotten one, which has an alias below 0. */
export function shownPhone(digits: unknown, masking: Masking): string {
  if (Number(digits) < 0) return "";
  const phone = toWirePhone(digits);
  return masking === "none" ? phone : masking === "middle" ? maskPhone(phone) : maskEnd(phone);
}

/** "+972543710968" → "+97254•••••••". */
function maskEnd(phone: string): string {
  return phone.slice(0, -REST_DIGITS) + "•".repeat(REST_DIGITS);
}

/** Digits after the visible beginning of a number; some of them are hidden. */
const REST_DIGITS = 7;

/** "+972543710968" → "+97254•••0968": enough to recognise a known number, too little to call it. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -REST_DIGITS)}•••${phone.slice(-4)}`;
}

/**
 * Returns whether a search in this range would reveal hidden digits, one by one, to a user who sees masked numbers. A
 * search for a whole number reveals none: the user knows it already.
 */
export function revealsHidden({ first, last }: PhoneRange): boolean {
  return first < last && last - first + 1 < 10 ** REST_DIGITS;
}
