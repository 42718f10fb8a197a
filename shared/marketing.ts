/**
 * Composes a marketing message: the text that section 30A(e) of the Communications Law requires, around the
 * client's words. The edge freezes it when a campaign is sent; the screens preview it with the same function.
 */

/** The word that the law requires at the very beginning. */
export const ADVERTISEMENT = "פרסומת";
/** Opt-out instruction; agents look for its word in replies. */
export const OPT_OUT_LINE = 'להסרה השיבו "הסר"';

/** The advertiser; "" means not given. A name is always given, and a phone number or an e-mail address. */
export interface Advertiser {
  name: string;
  address: string;
  phone: string;
  email: string;
}

/** Returns the advertiser and its contact details in one line: "משק הדר, מושב נהלל, 04-601-0042". */
export function advertiserLine({ name, address, phone, email }: Advertiser): string {
  return [name, address, phone, email].filter((part) => part !== "").join(", ");
}

/** Returns the text that the law puts before and after a client's words. */
export function aroundMarketing(advertiser: Advertiser): { before: string; after: string } {
  return { before: `${ADVERTISEMENT}\n`, after: `\n${advertiserLine(advertiser)}\n${OPT_OUT_LINE}` };
}

/** Returns the whole text; it is longer than `message` by a fixed number of characters for each advertiser. */
export function composeMarketing(message: string, advertiser: Advertiser): string {
  const { before, after } = aroundMarketing(advertiser);
  return before + message + after;
}
