/** Masks phone numbers in text written for operators. */

/**
 * Matches nine to fifteen digits in a row (E.164 has at most fifteen), or a number after + or 0 with spaces and dashes.
 * Longer runs, and digits inside words or dates, do not match. Thirteen digits after 1 are a time in milliseconds:
 * after +1 a number has ten. A dash or dot after a word with a digit continues that word, as in a version or an id.
 * After a word without a digit ("tel.") it does not. The groups of a UUID may have no digit. %2B is + in an address.
 */
const NUMBER =
  /(?<![\dA-Za-z])(?<!\d[A-Za-z]{0,30}[.-]{1,3})(?<!\b[\da-f]{8}(?:-[\da-f]{4}){0,3}-)(?!1\d{12}(?!\d))(?:%2B|\+)?(?:\d{9,15}|(?<=\+|%2B)\d(?:[ -]?\d){7,14}|0\d(?:[ -]?\d){7,13})(?![\dA-Za-z])/g;

/** "שיחה אל +972543710968" → "שיחה אל •••0968": enough to find the line, too little to call. */
export function maskNumbers(text: string): string {
  return text.replace(NUMBER, (number) => `•••${number.slice(-4)}`);
}
