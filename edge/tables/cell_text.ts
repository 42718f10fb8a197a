/** The text of a cell, as a list of people needs it: exact numbers, one line, no invisible control signs. */
import type { ShowNumber } from "./number_format.ts";

/** Longer than any value that is kept of a person; a cell may have 32,767. */
const MAX_CELL_CHARS = 1_000;
/** "9.7E+11" or "9.72501E+11": what Excel shows of a long number, and what remains of it after a file was saved so. */
const SHOWN_DIGITS = 6;
const LONG_DIGITS = 12;

const HEX_ESCAPE = /_x([0-9a-f]{4})_/gi;
// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

const SPACE = 0x20;
const AMPERSAND = 0x26;
const UNDERSCORE = 0x5f;
const DELETE = 0x7f;
/** Signs whose UTF-8 begins so may be control signs or spaces: U+0080 to U+00BF, U+1680, U+2000 to U+3000, U+FEFF. */
const DOUBTFUL = [0xc2, 0xe1, 0xe2, 0xe3, 0xef];

/** Returns whether plainText() would return these bytes as they are, without entities. May return false for such. */
export function isPlainText(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > MAX_CELL_CHARS || bytes[from] === SPACE || bytes[to - 1] === SPACE) return false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte < SPACE || byte === AMPERSAND || byte === UNDERSCORE || byte === DELETE) return false;
    if (byte >= 0xc2 && DOUBTFUL.includes(byte)) return false;
  }
  return true;
}

/** Returns a text of a sheet in one line. */
export function plainText(text: string): string {
  const cut = text.length > MAX_CELL_CHARS ? text.slice(0, MAX_CELL_CHARS) : text;
  const unescaped = cut.includes("_x")
    ? cut.replace(HEX_ESCAPE, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : cut;
  return unescaped.replace(CONTROL, " ").trim();
}

/** Returns whether bytes are a number that is shown as it is written: at most eleven digits, and no zero first. */
export function isPlainNumber(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > LONG_DIGITS - 1 || from === to || bytes[from] === 0x30) return false;
  for (let at = from; at < to; at++) if (bytes[at]! < 0x30 || bytes[at]! > 0x39) return false;
  return true;
}

/**
 * Returns a number of a sheet as text: as its format shows it, or with all its digits. A long number with few digits
 * before zeros keeps its exponent: a program shortened it, and the rest cannot be known.
 */
export function plainNumber(raw: string, show: ShowNumber | null): string {
  const value = Number(raw);
  if (!Number.isFinite(value)) return plainText(raw);
  const shown = show?.(value);
  if (shown) return plainText(shown);
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(15)));
  if (Math.abs(value) >= 10 ** (LONG_DIGITS - 1)) {
    const short = value.toExponential();
    if (short.replace(/e.*|\D/g, "").length <= SHOWN_DIGITS) return short.replace("e", "E");
  }
  return Math.abs(value) < 1e21 ? String(value) : value.toExponential().replace("e", "E");
}
