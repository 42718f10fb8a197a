/** Reads numbers typed or pasted by hand: one per line or between commas, with names and words around them. */
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type ContactList, ContactListBuilder } from "./contact_list.ts";
import { fold, UNSEEN } from "../numbers/folded.ts";
import {
  type LibraryBudget,
  problemOf,
  readNumber,
  readPlainPhone,
  readSigns,
} from "../numbers/parse_phone.ts";
import { LIBRARY_CALLS_A_LIST, type ReadOptions } from "./read_contacts.ts";

/** Bytes between two checks of the clock: 20 ms at worst, when the library reads every word. */
const BYTES_A_LOOK = 512;
const LF = 0x0a;
/** Line ends, comma, semicolon, tab. */
const ENDS = new Uint8Array(256);
for (const end of [LF, 0x0d, 0x2c, 0x3b, 0x09]) ENDS[end] = 1;
const SPACE = 0x20;
/** A longer line is cut at a space, or at twice this length. */
const MAX_PIECE_BYTES = 200;
const PLUS = 0x2b;
const OPENING = 0x28;
/** By folded sign: 1 = allowed between the digits of one number, even where a line has several numbers. */
const BETWEEN = new Uint8Array(128);
for (const sign of [UNSEEN, 9, 10, 11, 12, 13]) BETWEEN[sign] = 1;
for (const sign of " -()./") BETWEEN[sign.charCodeAt(0)] = 1;

/** A number written in pairs of digits, with its prefix. */
const MAX_WORDS_A_NUMBER = 8;

const decoder = new TextDecoder();

/**
 * Reads pasted UTF-8 text. It ignores words beside a number. It counts digits without a valid number as invalid, and
 * each line of words alone. The time is proportional to the bytes, whatever they are.
 */
export async function readManualNumbers(
  text: string | Uint8Array,
  { seed, yieldToEventLoop = createYieldToEventLoop() }: ReadOptions,
): Promise<ContactList> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const list = new ContactListBuilder(Math.ceil(bytes.length / 8) + 1, seed);
  const budget = { callsLeft: LIBRARY_CALLS_A_LIST };
  let row = 1;
  let lineStart = 0;
  let line: Piece = "blank";
  let nextLook = BYTES_A_LOOK;
  for (let from = 0; from < bytes.length;) {
    const to = endOfPiece(bytes, from);
    const phone = readPlainPhone(bytes, from, to);
    if (phone !== 0) {
      list.add(phone);
      line = "counted";
    } else if (to > from) {
      const piece = addFrom(list, row, bytes.subarray(from, to), budget);
      if (line !== "counted" && piece !== "blank") line = piece;
    }
    const isLast = to >= bytes.length;
    if (isLast || bytes[to] === LF) {
      if (line === "words") rejectLine(list, row, bytes.subarray(lineStart, to));
      row++;
      lineStart = to + 1;
      line = "blank";
    }
    from = to + 1;
    if (from >= nextLook) {
      nextLook = from + BYTES_A_LOOK;
      await yieldToEventLoop();
    }
  }
  return list.finish();
}

function endOfPiece(bytes: Uint8Array, from: number): number {
  let to = from;
  while (to < bytes.length && ENDS[bytes[to]!] === 0) {
    const length = to - from;
    if (length >= 2 * MAX_PIECE_BYTES || (length >= MAX_PIECE_BYTES && bytes[to] === SPACE)) break;
    to++;
  }
  return to;
}

const signs = new Uint8Array(2 * MAX_PIECE_BYTES + 1);

/** What a piece of a line gave: a number or a rejected row, words without digits, or nothing to read. */
type Piece = "counted" | "words" | "blank";

function addFrom(list: ContactListBuilder, row: number, piece: Uint8Array, budget: LibraryBudget): Piece {
  const length = fold(piece, 0, piece.length, signs);
  const whole = readSigns(signs, 0, length, budget);
  if (whole > 0) {
    list.add(whole);
    return "counted";
  }
  let found = 0;
  for (let at = 0; at < length;) {
    const from = beginOfNumberLike(at, length);
    if (from < 0) break;
    at = endOfNumberLike(from, length);
    found += addWords(list, from, at, budget);
  }
  if (found > 0) return "counted";
  if (!hasDigit(length)) return isBlank(length) ? "blank" : "words";
  list.reject(row, list.keepsRejected ? decoder.decode(piece) : "", problemOf(whole));
  return "counted";
}

function rejectLine(list: ContactListBuilder, row: number, line: Uint8Array): void {
  const text = list.keepsRejected ? decoder.decode(line.subarray(0, 2 * MAX_PIECE_BYTES)) : "";
  list.reject(row, text, "not_a_number");
}

function isBlank(length: number): boolean {
  for (let at = 0; at < length; at++) {
    const sign = signs[at]!;
    if (sign !== SPACE && sign !== UNSEEN && (sign < 9 || sign > 13)) return false;
  }
  return true;
}

function isDigit(sign: number): boolean {
  return sign >= 0x30 && sign <= 0x39;
}

function hasDigit(length: number): boolean {
  for (let at = 0; at < length; at++) {
    if (isDigit(signs[at]!)) return true;
  }
  return false;
}

/**
 * Returns the place of the next digit, or of a plus before it with only brackets and invisible marks between; -1 =
 * none.
 */
function beginOfNumberLike(from: number, length: number): number {
  let begin = -1;
  for (let at = from; at < length; at++) {
    const sign = signs[at]!;
    if (isDigit(sign)) return begin < 0 ? at : begin;
    if (sign === PLUS) begin = at;
    else if (sign !== OPENING && sign !== UNSEEN) begin = -1;
  }
  return -1;
}

/** Returns the place after the last sign of the number-like text at `from`. */
function endOfNumberLike(from: number, length: number): number {
  let at = from;
  while (!isDigit(signs[at]!)) at++;
  while (at < length && (isDigit(signs[at]!) || BETWEEN[signs[at]!] === 1)) at++;
  return at;
}

/** The digits of each word of a number-like text, in order, and the start of each word. */
const digits = new Uint8Array(signs.length);
const wordStarts = new Uint16Array(signs.length + 1);

/** Adds the numbers in words of digits: from each word on, the longest run of words that forms one number. */
function addWords(list: ContactListBuilder, from: number, to: number, budget: LibraryBudget): number {
  const isInternational = signs[from] === PLUS;
  const words = readWords(from, to);
  let found = 0;
  for (let first = 0; first < words;) {
    const begin = wordStarts[first]!;
    let behind = Math.min(words, first + MAX_WORDS_A_NUMBER);
    let phone = 0;
    for (; behind > first; behind--) {
      phone = readNumber(digits, begin, wordStarts[behind]!, isInternational && first === 0, budget);
      if (phone !== 0) break;
    }
    if (phone !== 0) {
      list.add(phone);
      found++;
    }
    first = Math.max(behind, first + 1);
  }
  return found;
}

/** Splits words at spaces and slashes; returns how many have digits. */
function readWords(from: number, to: number): number {
  let words = 0;
  let length = 0;
  let isOpen = false;
  for (let at = from; at < to; at++) {
    const sign = signs[at]!;
    if (isDigit(sign)) {
      if (!isOpen) wordStarts[words++] = length;
      isOpen = true;
      digits[length++] = sign - 0x30;
    } else if (sign === SPACE || sign === 0x2f || (sign >= 9 && sign <= 13)) {
      isOpen = false;
    }
  }
  wordStarts[words] = length;
  return words;
}
