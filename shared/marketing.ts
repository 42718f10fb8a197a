/**
 * Composes a marketing message: the text that section 30A(e) of the Communications Law requires, around the
 * client's words. The edge freezes it when a campaign is sent; the screens preview it with the same function.
 */

/** The word that the law requires at the very beginning. */
export const ADVERTISEMENT = "פרסומת";
/** Opt-out instruction; agents look for its word in replies. */
export const OPT_OUT_LINE = 'להסרה השיבו "הסר"';

/** Stands before the recipient's own link, on the line of OPT_OUT_LINE. */
const BEFORE_LINK = " או היכנסו: ";

/** The advertiser; "" means not given. A name is always given, and a phone number or an e-mail address. */
export interface Advertiser {
  name: string;
  address: string;
  phone: string;
  email: string;
  /** Whether its messages carry each recipient's own link for removal. */
  removalLink: boolean;
}

/** Returns the advertiser and its contact details in one line: "משק הדר, מושב נהלל, 04-601-0042". */
export function advertiserLine({ name, address, phone, email }: Advertiser): string {
  return [name, address, phone, email].filter((part) => part !== "").join(", ");
}

/**
 * Returns the whole text; it is longer than `message` by a fixed number of characters for each advertiser. `link` is the
 * recipient's own, for an advertiser whose messages carry one; null = no link.
 */
export function composeMarketing(
  message: string,
  advertiser: Advertiser,
  link: string | null = null,
): string {
  const words = aroundMarketing(advertiser, link !== null);
  return `${words.before}${message}${words.after}${link ?? ""}`;
}

/** Returns the text that the law puts before and after a client's words; with a link, `after` ends where it begins. */
export function aroundMarketing(advertiser: Advertiser, hasLink = false): { before: string; after: string } {
  return {
    before: `${ADVERTISEMENT}\n`,
    after: `\n${advertiserLine(advertiser)}\n${OPT_OUT_LINE}${hasLink ? BEFORE_LINK : ""}`,
  };
}

/** Returns whether a recipient can refuse over the internet, as the law asks of messages that come over it. */
export function canRefuseOnline({ email, removalLink }: Advertiser, linkOrigin: string | null): boolean {
  return email !== "" || (removalLink && linkOrigin !== null);
}
