/** Phone numbers in the texts of screens, with any marks of direction, in European or Arabic digits. */
import type { ScreenWords } from "../screens/screen_words.ts";

const NUMBER_SIGNS = /^[\s+\d()\-\u2010-\u2015.]+$/;
const IN_WORDS = /\+\d[\d\s()\-\u2010-\u2015.]{5,30}/g;
const DATE = /^\d{1,4}[.\-\u2010-\u2015]\d{1,2}[.\-\u2010-\u2015]\d{1,4}\.?$/;
const LEAST_DIGITS = 7;
const MOST_DIGITS = 15;

/** Returns a text without marks of direction and other signs that nobody sees, with European digits. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Cf}/gu, "")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** Returns the digits of a title or a receiver that is nothing but a number, also one's own, or "". */
export function titleNumber(title: string, words: ScreenWords): string {
  const plain = plainDigits(words.withoutOwnMark(title));
  return NUMBER_SIGNS.test(plain) && plain.split("+").length <= 2 ? plain.replace(/\D/g, "") : "";
}

/** Returns the digits of the phone numbers in a text: the whole of it, or parts of it that begin with a plus. */
export function numbersIn(text: string): string[] {
  const plain = plainDigits(text).trim();
  const isWhole = NUMBER_SIGNS.test(plain) && plain.split("+").length <= 2 && !DATE.test(plain);
  const found = isWhole ? [plain] : [...plain.matchAll(IN_WORDS)].map(([number]) => number);
  return found.map((number) => number.replace(/\D/g, ""))
    .filter(({ length }) => length >= LEAST_DIGITS && length <= MOST_DIGITS);
}
