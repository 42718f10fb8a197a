/** Digits of the largest safe integer, and a comma. */
const MAX_CHARS = 17;
const COMMA = 0x2c;
const ZERO = 0x30;
/** Splits a number into two integers below 2^31, which the engine divides fast. */
const CUT = 1_000_000_000;
const CUT_DIGITS = 9;

const decoder = new TextDecoder("latin1");

/**
 * Returns the JSON array of integers from 1 to 2^53, as `JSON.stringify()` writes it. Writing the digits as bytes takes
 * less than half of the time of `join()`, which makes a string for each number.
 */
export function jsonOf(values: Float64Array): string {
  const bytes = new Uint8Array(values.length * MAX_CHARS + 2);
  // From the last digit to the first, which is the order in which division yields them.
  let at = bytes.length;
  bytes[--at] = 0x5d;
  for (let i = values.length - 1; i >= 0; i--) {
    const value = values[i]!;
    const high = (value / CUT) | 0;
    const first = high > 0 ? writeDigits(bytes, at, value - high * CUT, CUT_DIGITS) : at;
    at = writeDigits(bytes, first, high > 0 ? high : value, 1);
    if (i > 0) bytes[--at] = COMMA;
  }
  bytes[--at] = 0x5b;
  return decoder.decode(bytes.subarray(at));
}

/** Writes an integer below 2^31 so that it ends before `at`, with zeros up to `atLeast` digits; returns its start. */
function writeDigits(bytes: Uint8Array, at: number, value: number, atLeast: number): number {
  const last = at - atLeast;
  let rest = value | 0;
  while (rest > 0 || at > last) {
    const shorter = (rest / 10) | 0;
    bytes[--at] = ZERO + rest - 10 * shorter;
    rest = shorter;
  }
  return at;
}
