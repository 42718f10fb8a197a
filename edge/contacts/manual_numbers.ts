/** Numbers typed or pasted by hand: one a line, also between commas, with names and words around them. */
import { createBreathe } from "./breathe.ts";
import { type ContactList, ContactListBuilder } from "./contact_list.ts";
import { parsePhone, readPlainPhone } from "./phone/parse_phone.ts";
import type { ReadOptions } from "./read_contacts.ts";

const PIECES_A_LOOK = 256;
const LF = 0x0a;
/** Line ends, comma, semicolon, tab. */
const ENDS = new Set([LF, 0x0d, 0x2c, 0x3b, 0x09]);
const SPACE = 0x20;
/** A longer line is cut at a space, or else at twice that. */
const MAX_PIECE_BYTES = 200;
/** Digits with what may stand between them; everything else is stripped. */
const NUMBER_LIKE = /[+＋]?[(\p{Cf}]*\p{Nd}[\p{Nd}\s\p{Cf}\p{Pd}()./]*/gu;

/** A number written pair by pair, with its prefix. */
const MAX_WORDS_A_NUMBER = 8;

const decoder = new TextDecoder();

/** Reads pasted text. What holds no digit is no number and is left out; what holds some and no valid one is invalid. */
export async function readManualNumbers(
  text: string,
  { seed, breathe = createBreathe() }: ReadOptions,
): Promise<ContactList> {
  const bytes = new TextEncoder().encode(text);
  const list = new ContactListBuilder(Math.ceil(bytes.length / 8) + 1, seed);
  let row = 1;
  let pieces = 0;
  for (let from = 0; from < bytes.length;) {
    const to = endOfPiece(bytes, from);
    const phone = readPlainPhone(bytes, from, to);
    if (phone !== 0) {
      list.add(phone);
    } else if (to > from) {
      addFrom(list, row, decoder.decode(bytes.subarray(from, to)));
      await breathe();
    }
    if (bytes[to] === LF) row++;
    from = to + 1;
    if (++pieces % PIECES_A_LOOK === 0) await breathe();
  }
  return list.finish();
}

function endOfPiece(bytes: Uint8Array, from: number): number {
  let to = from;
  while (to < bytes.length && !ENDS.has(bytes[to]!)) {
    const length = to - from;
    if (length >= 2 * MAX_PIECE_BYTES || (length >= MAX_PIECE_BYTES && bytes[to] === SPACE)) break;
    to++;
  }
  return to;
}

function addFrom(list: ContactListBuilder, row: number, piece: string): void {
  const whole = parsePhone(piece);
  if (whole.phone !== undefined) return list.add(whole.phone);
  const phones = Array.from(piece.matchAll(NUMBER_LIKE), ([like]) => phonesIn(like)).flat();
  if (phones.length > 0) phones.forEach((phone) => list.add(phone));
  else if (/\p{Nd}/u.test(piece)) list.reject(row, piece, whole.problem);
}

/** The numbers in words of digits: from each word on, the longest run of words that is one number. */
function phonesIn(text: string): number[] {
  const words = text.split(/[\s/]+/).filter((word) => word !== "");
  const phones: number[] = [];
  for (let from = 0; from < words.length;) {
    let to = Math.min(words.length, from + MAX_WORDS_A_NUMBER);
    let phone: number | undefined;
    while (to > from && (phone = parsePhone(words.slice(from, to).join(" ")).phone) === undefined) to--;
    if (phone !== undefined) phones.push(phone);
    from = Math.max(to, from + 1);
  }
  return phones;
}
