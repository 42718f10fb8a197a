/** Converts the beginning of a phone number, as people write it, to ranges of stored numbers. */
import { parsePhone, readWritten } from "./parse_phone.ts";

/** Both ends are included; E.164 digits as one integer. */
export interface PhoneRange {
  first: number;
  last: number;
}

/** Possible lengths of a stored number (E.164: at most 15 digits). */
const LENGTHS = { least: 7, most: 15 };
const HOME_COUNTRY = "972";

/**
 * Returns the ascending ranges of all numbers that begin with `q`: in local form ("054-37"), international form ("+972
 * 54", "0097254"), or country digits alone ("97254"). A whole number is also found as an import reads it, such as
 * "520000003" without its zero. Returns none when `q` has no digit, or a sign that no number is written with.
 */
export function phoneRanges(q: string): PhoneRange[] {
  const written = readWritten(q);
  if (written === null || written === "") return [];
  const digits = written.replace(/^00/, "").replace(/^0/, HOME_COUNTRY);
  const ranges: PhoneRange[] = [];
  if (digits !== "" && digits.length <= LENGTHS.most) {
    for (let length = Math.max(digits.length, LENGTHS.least); length <= LENGTHS.most; length++) {
      const step = 10 ** (length - digits.length);
      const first = Number(digits) * step;
      ranges.push({ first, last: first + step - 1 });
    }
  }
  const { phone } = parsePhone(q);
  const isFound = ranges.some(({ first, last }) => phone !== undefined && first <= phone && phone <= last);
  if (phone === undefined || isFound) return ranges;
  return [...ranges, { first: phone, last: phone }].sort((a, b) => a.first - b.first);
}
