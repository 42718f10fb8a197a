/** Converts the beginning of a phone number, as people write it, to ranges of stored numbers. */

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
 * 54", "0097254"), or country digits alone ("97254"). Returns none when `q` has no digit.
 */
export function phoneRanges(q: string): PhoneRange[] {
  const digits = q.replace(/\D/g, "").replace(/^00/, "").replace(/^0/, HOME_COUNTRY);
  if (digits === "" || digits.length > LENGTHS.most) return [];
  const ranges: PhoneRange[] = [];
  for (let length = Math.max(digits.length, LENGTHS.least); length <= LENGTHS.most; length++) {
    const step = 10 ** (length - digits.length);
    const first = Number(digits) * step;
    ranges.push({ first, last: first + step - 1 });
  }
  return ranges;
}
