/**
 * A marketing message as it is sent: what section 30A(e) of the Communications Law asks to be said stands around the
 * client's words. The edge freezes it when a campaign is sent; the screens preview it by the same function.
 */

/** The law's word, at the very beginning. */
export const ADVERTISEMENT = "פרסומת";
/** How to refuse what comes next; agents read replies for this word. */
export const OPT_OUT_LINE = 'להסרה השיבו "הסר"';

/** Who advertises; "" = not given. A name, and a phone or an e-mail address, are always given. */
export interface Advertiser {
  name: string;
  address: string;
  phone: string;
  email: string;
}

/** "משק הדר, מושב נהלל, 04-601-0042": who advertises, and how they are reached, in one line. */
export function advertiserLine({ name, address, phone, email }: Advertiser): string {
  return [name, address, phone, email].filter((part) => part !== "").join(", ");
}

/** The whole text; longer than `message` by the same number of characters whatever the message says. */
export function composeMarketing(message: string, advertiser: Advertiser): string {
  return `${ADVERTISEMENT}\n${message}\n${advertiserLine(advertiser)}\n${OPT_OUT_LINE}`;
}
