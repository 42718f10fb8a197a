/**
 * Parses phone numbers, as people and spreadsheets write them, to E.164. libphonenumber defines valid numbers: nearly
 * always through a table made from its metadata, otherwise through the library itself.
 */
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/max/metadata";
import type { PhoneProblem } from "shared/phone.ts";
import { fold, MINUS_SIGN, UNSEEN } from "./folded.ts";
import { BEGINNING, readValid, stateBehind } from "./valid_digits.ts";

export type ParsedPhone = { phone: number; problem?: never } | { phone?: never; problem: PhoneProblem };

/** Remaining calls to the library for one list, 10 µs each. */
export interface LibraryBudget {
  callsLeft: number;
}

/** The region and calling code of a number without a country. */
const HOME_REGION = "IL";
const HOME_CODE = 972;
const HOME_BEGINNING = stateBehind(new Uint8Array([9, 7, 2]));

/** E.164 allows 15; the library knows a few longer numbers that no network carries. */
const MAX_E164_DIGITS = 15;
const MAX_PHONE = 10 ** MAX_E164_DIGITS - 1;
/** The longest number after an international prefix (`00`, `012`, `0105`), including the zero of "(0)50". */
export const MAX_DIGITS = 4 + MAX_E164_DIGITS + 1;
const MIN_DIGITS = 7;
/** The library strips prefixes, and no shorter number is valid. */
export const LEAST_VALID_DIGITS = 6;

/** A longer text is no number, and not worth the time. */
const MAX_CHARS = 100;

const CALLING_CODES = new Set([
  ...Object.keys(metadata.country_calling_codes),
  ...Object.keys(metadata.nonGeographic),
].map(Number));

const PLUS = 0x2b;
/** By folded sign: 1 = separates digits. Includes the ="…" that exports use to keep a leading zero. */
const SEPARATORS = new Uint8Array(128);
for (const sign of [UNSEEN, MINUS_SIGN, 9, 10, 11, 12, 13]) SEPARATORS[sign] = 1;
for (const sign of " -()[]./\\'\"`=") SEPARATORS[sign.charCodeAt(0)] = 1;

/** Returns whether a folded sign may stand between the digits of one number. */
export function isSeparator(sign: number): boolean {
  return SEPARATORS[sign] === 1;
}

/** Results of readPhone() for each problem, below zero to differ from numbers. */
const PROBLEMS = ["empty", "not_a_number", "excel_exponent", "too_short", "too_long", "not_valid"] as const;
const codeOf = (problem: PhoneProblem) => -1 - PROBLEMS.indexOf(problem);
const EMPTY = codeOf("empty");
const NOT_A_NUMBER = codeOf("not_a_number");
const EXCEL_EXPONENT = codeOf("excel_exponent");
const TOO_SHORT = codeOf("too_short");
const TOO_LONG = codeOf("too_long");
const NOT_VALID = codeOf("not_valid");

/** Returns the problem of a negative result of readPhone(). */
export function problemOf(code: number): PhoneProblem {
  return PROBLEMS[-1 - code]!;
}

const encoder = new TextEncoder();
const NO_BOUND: LibraryBudget = { callsLeft: Infinity };

/** Parses one whole number in any spelling, or returns the problem; the number is its E.164 digits. */
export function parsePhone(text: string): ParsedPhone {
  if (text.length > MAX_CHARS) return { problem: "not_a_number" };
  const bytes = encoder.encode(text);
  const found = readPhone(bytes, 0, bytes.length, NO_BOUND);
  return found > 0 ? { phone: found } : { problem: problemOf(found) };
}

const signs = new Uint8Array(MAX_CHARS + 1);

/**
 * Returns the digits of a text that is written as a number or the beginning of one, in any script and with any
 * separators that parsePhone() reads; null for another text.
 */
export function readWritten(text: string): string | null {
  if (text.length > MAX_CHARS) return null;
  const bytes = encoder.encode(text);
  const length = fold(bytes, 0, bytes.length, signs);
  let digits = "";
  for (const sign of signs.subarray(0, length)) {
    if (sign >= 0x30 && sign <= 0x39) digits += sign - 0x30;
    else if (SEPARATORS[sign] === 0 && (sign !== PLUS || digits !== "")) return null;
  }
  return digits;
}

/**
 * Returns the number in the UTF-8 text `bytes[from..to)`, as parsePhone() reads it, or a negative code for problemOf().
 * It creates no objects, because a list has millions of cells. When the budget is used up, numbers that need the
 * library are `not_valid`.
 */
export function readPhone(bytes: Uint8Array, from: number, to: number, budget: LibraryBudget): number {
  return readSigns(signs, 0, fold(bytes, from, to, signs), budget);
}

const scratch = new Uint8Array(MAX_DIGITS);

/** Works as readPhone() does, on characters that are already folded (folded.ts). */
export function readSigns(signs: Uint8Array, from: number, to: number, budget: LibraryBudget): number {
  if (to - from > MAX_CHARS) return NOT_A_NUMBER;
  let length = 0;
  let isInternational = false;
  let isOther = false;
  for (let i = from; i < to; i++) {
    const sign = signs[i]!;
    if (sign >= 0x30 && sign <= 0x39) {
      if (length < MAX_DIGITS) scratch[length] = sign - 0x30;
      length++;
    } else if (SEPARATORS[sign] === 0) {
      if (sign === PLUS && length === 0 && !isInternational) isInternational = true;
      else isOther = true;
    }
  }
  if (isOther) return isExcelExponent(signs, from, to) ? EXCEL_EXPONENT : NOT_A_NUMBER;
  if (length === 0) return isInternational ? NOT_A_NUMBER : EMPTY;
  if (length > MAX_DIGITS) return TOO_LONG;
  return readNumber(scratch, 0, length, isInternational, budget) ||
    whatIsWrong(scratch, length, isInternational);
}

/** Returns the number in `digits[from..to)`, from the table or the library; 0 = none. */
export function readNumber(
  digits: Uint8Array,
  from: number,
  to: number,
  isInternational: boolean,
  budget: LibraryBudget,
): number {
  if (to - from > MAX_DIGITS || to - from < LEAST_VALID_DIGITS) return 0;
  const phone = lookUp(digits, from, to, isInternational);
  if (phone !== 0 || isRefusalFinal(digits, from, to, isInternational)) return phone;
  if (budget.callsLeft <= 0) return 0;
  budget.callsLeft--;
  return askLibrary(digits, from, to, isInternational);
}

/**
 * Returns the number in `bytes[from..to)`, ASCII and in the usual forms. 0 = call readPhone(), which knows the other
 * forms and the problems.
 */
export function readPlainPhone(bytes: Uint8Array, from: number, to: number): number {
  let length = 0;
  let isInternational = false;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (length === MAX_DIGITS) return 0;
      scratch[length++] = byte - 0x30;
    } else if (byte === PLUS) {
      if (length > 0 || isInternational) return 0;
      isInternational = true;
    } else if (!isPlainSeparator(byte)) {
      return 0;
    }
  }
  return lookUp(scratch, 0, length, isInternational);
}

/** Space " ( ) - . */
function isPlainSeparator(byte: number): boolean {
  return byte === 0x20 || byte === 0x22 || byte === 0x28 || byte === 0x29 || byte === 0x2d || byte === 0x2e;
}

/** Returns the number that the table finds in the digits, or 0. */
function lookUp(digits: Uint8Array, from: number, to: number, isInternational: boolean): number {
  const phone = readDigits(digits, from, to, isInternational);
  return phone <= MAX_PHONE ? phone : 0;
}

function readDigits(digits: Uint8Array, from: number, to: number, isInternational: boolean): number {
  if (isInternational) return readInternational(digits, from, to);
  if (digits[from] === 0) {
    if (digits[from + 1] === 1) return 0;
    return digits[from + 1] === 0 ? readInternational(digits, from + 2, to) : readHome(digits, from + 1, to);
  }
  // A spreadsheet drops the leading zero as well as the plus.
  return readHome(digits, from, to) ||
    (hasHomeCode(digits, from, to) ? readInternational(digits, from, to) : 0);
}

function readInternational(digits: Uint8Array, from: number, to: number): number {
  if (!hasHomeCode(digits, from, to)) return readValid(digits, from, to, BEGINNING, 0);
  // +972 (0)50
  return readHome(digits, digits[from + 3] === 0 ? from + 4 : from + 3, to);
}

function readHome(digits: Uint8Array, from: number, to: number): number {
  return readValid(digits, from, to, HOME_BEGINNING, HOME_CODE);
}

/**
 * Returns true when the library could not read more in these digits than the table: they have no prefix that only the
 * library knows.
 */
function isRefusalFinal(digits: Uint8Array, from: number, to: number, isInternational: boolean): boolean {
  if (isInternational) return !isForeign(digits, from, to);
  if (digits[from] !== 0) return true;
  if (digits[from + 1] === 0) return !isForeign(digits, from + 2, to);
  // In Israel 012, 013 and others are international prefixes like 00: leave all of these to the library.
  if (digits[from + 1] !== 1) return true;
  const behind = from + (digits[from + 2]! >= 2 ? 3 : 4);
  return digits[behind] !== 0 && digits[from + 2] !== 0 && digits[from + 2] !== 1 &&
    !hasCallingCode(digits, behind, to);
}

/** Returns true when the digits begin with the calling code of another country. */
function isForeign(digits: Uint8Array, from: number, to: number): boolean {
  return !hasHomeCode(digits, from, to) && hasCallingCode(digits, from, to);
}

function hasCallingCode(digits: Uint8Array, from: number, to: number): boolean {
  for (let at = from, code = 0; at < to && at < from + 3; at++) {
    code = code * 10 + digits[at]!;
    if (CALLING_CODES.has(code)) return true;
  }
  return false;
}

function hasHomeCode(digits: Uint8Array, at: number, to: number): boolean {
  return at + 3 <= to && digits[at] === 9 && digits[at + 1] === 7 && digits[at + 2] === 2;
}

/** Takes some 10 µs. */
function askLibrary(digits: Uint8Array, from: number, to: number, isInternational: boolean): number {
  const compact = (isInternational ? "+" : "") + digits.subarray(from, to).join("");
  const found = parsePhoneNumberFromString(compact, { defaultCountry: HOME_REGION, extract: false });
  if (found === undefined) return 0;
  const phone = Number(found.number.slice(1));
  if (phone > MAX_PHONE) return 0;
  if (found.isValid()) return phone;
  // The library has removed one leading zero. Two zeros are no number.
  const read = Uint8Array.from(found.number.slice(1), Number);
  return hasHomeCode(read, 0, read.length) ? readHome(read, 3, read.length) : 0;
}

function whatIsWrong(digits: Uint8Array, length: number, isInternational: boolean): number {
  const begin = !isInternational && digits[0] === 0 ? (length > 1 && digits[1] === 0 ? 2 : 1) : 0;
  const isHome = hasHomeCode(digits, begin, length);
  if ((isInternational || begin === 2) && !isHome) {
    return lengthProblem(length - begin, MIN_DIGITS, MAX_E164_DIGITS);
  }
  let at = isHome && length > 10 ? begin + 3 : begin;
  if (begin !== 1 && at < length && digits[at] === 0) at++;
  const first = at < length ? digits[at] : undefined;
  if (first === 1) return lengthProblem(length - at, 7, 12);
  const right = first === 5 || first === 7 ? 9 : 8;
  return lengthProblem(length - at, right, right);
}

function lengthProblem(length: number, least: number, most: number): number {
  return length < least ? TOO_SHORT : length > most ? TOO_LONG : NOT_VALID;
}

/** Matches a long number that Excel showed as a float: `9.7250123E+11` keeps only its first digits. */
function isExcelExponent(signs: Uint8Array, from: number, to: number): boolean {
  let at = from;
  const isQuote = (sign: number | undefined) => sign === 0x22 || sign === 0x27 || sign === 0x3d;
  const isSpace = (sign: number) => sign === 0x20 || (sign >= 9 && sign <= 13);
  const isDigit = (sign: number) => sign >= 0x30 && sign <= 0x39;
  const skip = (isMeant: (sign: number) => boolean): number => {
    let count = 0;
    for (; at < to; at++) {
      if (isQuote(signs[at])) continue;
      if (!isMeant(signs[at]!)) break;
      count++;
    }
    return count;
  };
  const take = (...meant: number[]) => {
    if (at < to && meant.includes(signs[at]!)) return ++at > 0;
    return false;
  };
  skip(isSpace);
  if (skip(isDigit) === 0) return false;
  if (take(0x2e, 0x2c) && skip(isDigit) === 0) return false;
  if (!take(0x45, 0x65)) return false;
  skip(() => false);
  take(PLUS);
  if (skip(isDigit) === 0) return false;
  skip(isSpace);
  return at >= to;
}
