import { toWirePhone } from "./wire_phone.ts";
import type { PhoneRange } from "./phone_search.ts";

/**
 * How a number is shown. A row's place in a sorted list tells between which numbers it lies: in a long list, that and
 * the last four digits are the number. So there the end is masked as well, which leaves ten million numbers, less what
 * the place tells.
 */
export type Masking = "none" | "middle" | "end";

/**
 * Most rows of a list whose masked numbers keep their last four digits. A place in it leaves a hundred numbers; at the
 * two ends of a hundred rows it would leave some thirty.
 */
export const MOST_WITH_ENDS = 30;

/** Returns the masking of a list of so many rows. */
export function maskingOf(masked: boolean, rows: number): Masking {
  return masked ? rows > MOST_WITH_ENDS ? "end" : "middle" : "none";
}

/** A stored number as it is shown; "" of a recipient whose number was erased or forgotten, and is an alias below 0. */
export function shownPhone(digits: unknown, masking: Masking): string {
  if (Number(digits) < 0) return "";
  const phone = toWirePhone(digits);
  return masking === "none" ? phone : masking === "middle" ? maskPhone(phone) : maskEnd(phone);
}

/** "+972543710968" → "+97254•••••••". */
function maskEnd(phone: string): string {
  return phone.slice(0, -REST_DIGITS) + "•".repeat(REST_DIGITS);
}

/** Behind what is shown of a number's beginning; some of these digits are hidden. */
const REST_DIGITS = 7;

/** "+972543710968" → "+97254•••0968": enough to recognise a number one knows, too little to call it. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -REST_DIGITS)}•••${phone.slice(-4)}`;
}

/**
 * Whether a search in this range would tell hidden digits, one by one, to who sees numbers masked. Who writes a number
 * whole knows it already.
 */
export function tellsHidden({ first, last }: PhoneRange): boolean {
  return first < last && last - first + 1 < 10 ** REST_DIGITS;
}
