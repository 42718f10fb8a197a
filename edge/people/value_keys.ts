/**
 * The beginnings of values, by which a contact is found. Folding takes each character alone, so that the folded
 * beginning of a text is the beginning of the folded text: capitals become small, vowel points and accents that stand
 * alone fall away, one sort of quotes remains, and a Hebrew letter is one byte. Others are their UTF-8 bytes.
 */

/** Bytes of a key. Longer values share a key, and their readers compare the values themselves. */
export const KEY_BYTES = 12;
/** The most bytes that one value folds to. */
const MAX_FOLDED_BYTES = 1_024;
/** Alef becomes this byte; it never begins a character of UTF-8, so no other text has it. */
export const ALEF = 0x80;
const QUOTES: Record<string, string> = {
  "׳": "'",
  "’": "'",
  "‘": "'",
  "״": '"',
  "”": '"',
  "“": '"',
  "„": '"',
};

const encoder = new TextEncoder();
const scratch = new Uint8Array(MAX_FOLDED_BYTES);

/** Returns the folded bytes of a text, each as one character of a string. */
export function foldValue(text: string): string {
  const length = foldInto(text, scratch, 0, scratch.length);
  return String.fromCharCode(...scratch.subarray(0, length));
}

/** Returns the key of a text in hex, for the database: shorter than KEY_BYTES when the text is. */
export function keyOf(text: string): string {
  const length = foldInto(text, scratch, 0, KEY_BYTES);
  return hexOf(scratch.subarray(0, length));
}

/** Returns bytes in hex. */
export function hexOf(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += (byte + 0x100).toString(16).slice(1);
  return hex;
}

/** Writes at most `most` folded bytes of `text` to `to` and returns the place behind them. */
export function foldInto(text: string, to: Uint8Array, at: number, most: number): number {
  const end = at + most;
  for (const sign of text) {
    if (at >= end) break;
    const code = sign.codePointAt(0)!;
    if (code >= 0x5d0 && code <= 0x5ea) to[at++] = ALEF + code - 0x5d0;
    else if (code < 0x80) to[at++] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    else if (!/\p{M}|\p{Cf}/u.test(sign)) {
      for (const byte of encoder.encode(QUOTES[sign] ?? sign.toLowerCase())) {
        if (at < end) to[at++] = byte;
      }
    }
  }
  return at;
}
