/**
 * Returns a typed text without possible phone numbers, in any digits and with any dashes. Dates stay: the time and
 * place of a consent are evidence.
 */
export function withoutNumbers(text: string): string {
  return text.replace(DATE_OR_NUMBER, (found, date?: string) => date === undefined ? "•••" : found);
}

/** Characters that people put between digits: spaces, dashes, brackets, slashes, invisible direction marks. */
const BETWEEN = String.raw`[\s\p{Cf}\p{Pd}\p{Pc}()[\].·/\\'’"\u2212]*`;
const PERHAPS_A_NUMBER = String.raw`[+＋]?\p{Nd}(?:${BETWEEN}\p{Nd}){6,}`;

const DAY = "(?:0?[1-9]|[12][0-9]|3[01])";
const MONTH = "(?:0?[1-9]|1[0-2])";
const YEAR = "(?:19|20)[0-9]{2}";
/** Israeli notation, or ISO 8601. */
const DATE = [
  ...["/", "-", String.raw`\.`].map((mark) => `${DAY}${mark}${MONTH}${mark}(?:${YEAR}|[0-9]{2})`),
  `${YEAR}-${MONTH}-${DAY}`,
].join("|");
const ONE_DATE = `(?:${DATE})`;
/** A date alone, a range, or with an hour; other digits beside it may make it part of a phone number. */
const DATES =
  `((?:(?<=[0-9]:)[0-9]{2} )?${ONE_DATE}(?: ?[-–] ?${ONE_DATE})?(?: [0-9]{1,2}(?=:[0-9]))?)(?!${BETWEEN}\\p{Nd})`;

const DATE_OR_NUMBER = new RegExp(`${DATES}|${PERHAPS_A_NUMBER}`, "gu");
