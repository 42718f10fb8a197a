import { toWirePhone } from "../queue/wire_phone.ts";
import type { PhoneRange } from "./phone_search.ts";

/** A stored number as it is shown; "" of a recipient whose number was erased or forgotten, and is an alias below 0. */
export function shownPhone(digits: unknown, masked: boolean): string {
  if (Number(digits) < 0) return "";
  return masked ? maskPhone(toWirePhone(digits)) : toWirePhone(digits);
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
