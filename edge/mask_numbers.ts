/** Phone numbers in text that is written down for operators. */

/**
 * Nine to fifteen digits in a row (E.164 has at most fifteen), or a number with the usual spaces and dashes that begins
 * with + or 0. Longer runs of digits, and those inside words or dates, are none; nor are thirteen that begin with 1,
 * which are a time in milliseconds: behind +1 there are ten digits. A dash or a dot leads on from a word with a digit
 * in it, as in a version or an id, and not from one without ("tel."); the groups of a UUID may have none. %2B is + in
 * an address.
 */
const NUMBER =
  /(?<![\dA-Za-z])(?<!\d[A-Za-z]{0,30}[.-]{1,3})(?<!\b[\da-f]{8}(?:-[\da-f]{4}){0,3}-)(?!1\d{12}(?!\d))(?:%2B|\+)?(?:\d{9,15}|(?<=\+|%2B)\d(?:[ -]?\d){7,14}|0\d(?:[ -]?\d){7,13})(?![\dA-Za-z])/g;

/** "שיחה אל +972543710968" → "שיחה אל •••0968": enough to find the line, too little to call. */
export function maskNumbers(text: string): string {
  return text.replace(NUMBER, (number) => `•••${number.slice(-4)}`);
}
