/**
 * UTF-8 text as one byte per character. Digits of any script become ASCII digits, and separators one of a few marks.
 * Every other character becomes itself or OTHER. Number readers look up each byte and need no regular expression.
 */

/** An invisible character (`\p{Cf}`). */
export const UNSEEN = 0x01;
/** U+2212: a dash between digits, although Unicode does not class it as one (`\p{Pd}`). */
export const MINUS_SIGN = 0x02;
/** Every character that is not ASCII and has no meaning here. */
export const OTHER = 0x7f;

const SPACE = 0x20;
const BLOCK = 256;

/** By the code point's upper bits: the folded value of each of its 256 characters, computed on first use. */
const blocks = new Map<number, Uint8Array>();

/**
 * Folds `bytes[from..to)` into the start of `into` and returns the number of bytes written, one per character. It stops
 * when `into` is full, so a full `into` may mean that input remains.
 */
export function fold(bytes: Uint8Array, from: number, to: number, into: Uint8Array): number {
  let length = 0;
  for (let at = from; at < to && length < into.length;) {
    const lead = bytes[at++]!;
    if (lead < 0x80) {
      into[length++] = lead < 0x03 ? OTHER : lead;
      continue;
    }
    const more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0;
    let codePoint = lead & (0x3f >> more);
    let left = more;
    for (; left > 0 && at < to && (bytes[at]! & 0xc0) === 0x80; left--) {
      codePoint = codePoint << 6 | (bytes[at++]! & 0x3f);
    }
    into[length++] = more === 0 || left > 0 || codePoint > 0x10ffff ? OTHER : foldSign(codePoint);
  }
  return length;
}

function foldSign(codePoint: number): number {
  const key = codePoint >> 8;
  let block = blocks.get(key);
  if (block === undefined) {
    block = Uint8Array.from({ length: BLOCK }, (_, index) => foldSeldom(key * BLOCK + index));
    blocks.set(key, block);
  }
  return block[codePoint & 0xff]!;
}

function foldSeldom(codePoint: number): number {
  const sign = String.fromCodePoint(codePoint);
  if (/\p{Nd}/u.test(sign)) return 0x30 + digitOf(codePoint);
  if (sign === "＋") return 0x2b;
  if (sign === "’") return 0x27;
  if (codePoint === 0x2212) return MINUS_SIGN;
  if (/\s/.test(sign)) return SPACE;
  if (/\p{Pd}/u.test(sign)) return 0x2d;
  return /\p{Cf}/u.test(sign) ? UNSEEN : OTHER;
}

/** The digits of every script are in order, from zero. */
function digitOf(codePoint: number): number {
  const plain = String.fromCodePoint(codePoint).normalize("NFKC");
  if (/^\d$/.test(plain)) return Number(plain);
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(codePoint - value - 1))) value++;
  return value;
}
