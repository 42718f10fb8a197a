import { toWirePhone } from "../queue/wire_phone.ts";

/** A stored number as it is shown; "" of a recipient whose number was erased or forgotten, and is an alias below 0. */
export function shownPhone(digits: unknown, masked: boolean): string {
  if (Number(digits) < 0) return "";
  return masked ? maskPhone(toWirePhone(digits)) : toWirePhone(digits);
}

/** "+972543710968" → "+97254•••0968": enough to recognise a number one knows, too little to call it. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -7)}•••${phone.slice(-4)}`;
}
