/**
 * Phone numbers as people and spreadsheets write them, to E.164. What is a valid number is libphonenumber's word:
 * nearly always by a table made from its metadata, else by the library itself.
 */
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { PhoneProblem } from "shared/phone.ts";
import { BEGINNING, readValid, stateBehind } from "./valid_digits.ts";

export type ParsedPhone = { phone: number; problem?: never } | { phone?: never; problem: PhoneProblem };

/** Where a number without a country belongs, and its calling code. */
const HOME_REGION = "IL";
const HOME_CODE = 972;
const HOME_BEGINNING = stateBehind(new Uint8Array([9, 7, 2]));

/** E.164 allows 15; the library knows a few longer ones, which no network carries. */
const MAX_E164_DIGITS = 15;
const MAX_PHONE = 10 ** MAX_E164_DIGITS - 1;
/** Such a number behind a prefix abroad (`00`, `012`, `0105`), with the zero of "(0)50" in it. */
const MAX_DIGITS = 4 + MAX_E164_DIGITS + 1;
const MIN_DIGITS = 7;

/** Longer texts are no number, and not worth the time. */
const MAX_CHARS = 100;

/** What stands between digits, and marks nobody sees; also the ="…" by which exports keep a leading zero. */
const SEPARATORS = /[\s\p{Cf}\p{Pd}\u2212()[\]./\\'"’`=]/gu;
/** What is left of a long number after Excel showed it as a float: only its first digits. */
const EXCEL_EXPONENT = /^\s*\d+(?:[.,]\d+)?E\+?\d+\s*$/i;

/** Reads one whole number in any way it is written, or says what is wrong; the number is its E.164 digits. */
export function parsePhone(text: string): ParsedPhone {
  if (text.length > MAX_CHARS) return { problem: "not_a_number" };
  const written = text.replace(/\p{Nd}/gu, toAsciiDigit).replaceAll("＋", "+");
  const compact = written.replace(SEPARATORS, "");
  if (compact === "") return { problem: "empty" };
  if (!/^\+?\d+$/.test(compact)) {
    return {
      problem: EXCEL_EXPONENT.test(written.replace(/["'=]/g, "")) ? "excel_exponent" : "not_a_number",
    };
  }
  const isInternational = compact.startsWith("+");
  const digits = Uint8Array.from(isInternational ? compact.slice(1) : compact, Number);
  if (digits.length > MAX_DIGITS) return { problem: "too_long" };
  const phone = lookUp(digits, digits.length, isInternational) ||
    (isRefusalFinal(digits, isInternational) ? 0 : askLibrary(compact));
  return phone === 0 ? { problem: problemOf(digits, isInternational) } : { phone };
}

const scratch = new Uint8Array(MAX_DIGITS);

/**
 * The number in `bytes[from..to)`, in ASCII and of the usual forms; 0 = ask parsePhone(), which knows the others and
 * says what is wrong.
 */
export function readPlainPhone(bytes: Uint8Array, from: number, to: number): number {
  let length = 0;
  let isInternational = false;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (length === MAX_DIGITS) return 0;
      scratch[length++] = byte - 0x30;
    } else if (byte === 0x2b /* + */) {
      if (length > 0 || isInternational) return 0;
      isInternational = true;
    } else if (!isPlainSeparator(byte)) {
      return 0;
    }
  }
  return lookUp(scratch, length, isInternational);
}

/** Space " ( ) - . */
function isPlainSeparator(byte: number): boolean {
  return byte === 0x20 || byte === 0x22 || byte === 0x28 || byte === 0x29 || byte === 0x2d || byte === 0x2e;
}

/** The number the table finds in the digits, or 0. */
function lookUp(digits: Uint8Array, length: number, isInternational: boolean): number {
  const phone = readDigits(digits, length, isInternational);
  return phone <= MAX_PHONE ? phone : 0;
}

function readDigits(digits: Uint8Array, length: number, isInternational: boolean): number {
  if (isInternational) return readInternational(digits, 0, length);
  if (digits[0] === 0) {
    if (digits[1] === 1) return 0;
    return digits[1] === 0 ? readInternational(digits, 2, length) : readHome(digits, 1, length);
  }
  // A spreadsheet drops the leading zero and the plus alike.
  return readHome(digits, 0, length) || (hasHomeCode(digits, 0) ? readInternational(digits, 0, length) : 0);
}

function readInternational(digits: Uint8Array, from: number, to: number): number {
  if (!hasHomeCode(digits, from)) return readValid(digits, from, to, BEGINNING, 0);
  // +972 (0)50
  return readHome(digits, digits[from + 3] === 0 ? from + 4 : from + 3, to);
}

function readHome(digits: Uint8Array, from: number, to: number): number {
  return readValid(digits, from, to, HOME_BEGINNING, HOME_CODE);
}

/** Whether the library could make no more of the digits than the table: there is no prefix but those it knows. */
function isRefusalFinal(digits: Uint8Array, isInternational: boolean): boolean {
  if (isInternational) return hasHomeCode(digits, 0);
  if (digits[0] !== 0) return true;
  // 012, 013 and others lead abroad in Israel, as 00 does: all of these are the library's.
  return digits[1] === 0 ? hasHomeCode(digits, 2) : digits[1] !== 1;
}

function hasHomeCode(digits: Uint8Array, at: number): boolean {
  return digits[at] === 9 && digits[at + 1] === 7 && digits[at + 2] === 2;
}

/** Some 10 µs. */
function askLibrary(compact: string): number {
  const found = parsePhoneNumberFromString(compact, { defaultCountry: HOME_REGION, extract: false });
  if (found === undefined) return 0;
  const phone = Number(found.number.slice(1));
  if (phone > MAX_PHONE) return 0;
  if (found.isValid()) return phone;
  // It has taken one leading zero away; whoever wrote two meant no number.
  const digits = Uint8Array.from(found.number.slice(1), Number);
  return hasHomeCode(digits, 0) ? readHome(digits, 3, digits.length) : 0;
}

function problemOf(digits: Uint8Array, isInternational: boolean): PhoneProblem {
  const begin = !isInternational && digits[0] === 0 ? (digits[1] === 0 ? 2 : 1) : 0;
  const isForeign = (isInternational || begin === 2) && !hasHomeCode(digits, begin);
  if (isForeign) return lengthProblem(digits.length - begin, MIN_DIGITS, MAX_E164_DIGITS);
  let national = hasHomeCode(digits, begin) && digits.length > 10
    ? digits.subarray(begin + 3)
    : digits.subarray(begin);
  if (begin !== 1 && national[0] === 0) national = national.subarray(1);
  if (national[0] === 1) return lengthProblem(national.length, 7, 12);
  const length = national[0] === 5 || national[0] === 7 ? 9 : 8;
  return lengthProblem(national.length, length, length);
}

function lengthProblem(length: number, least: number, most: number): PhoneProblem {
  return length < least ? "too_short" : length > most ? "too_long" : "not_valid";
}

function toAsciiDigit(digit: string): string {
  const plain = digit.normalize("NFKC");
  if (/^\d$/.test(plain)) return plain;
  // Every script's digits stand in order, zero first.
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(digit.codePointAt(0)! - value - 1))) value++;
  return String(value);
}
