/**
 * Text that people typed, without what may be a phone number in it, whatever digits and dashes it is written with. A
 * date is none: when and where a consent was given is evidence.
 */
export function withoutNumbers(text: string): string {
  return text.replace(DATE_OR_NUMBER, (found, date?: string) => date === undefined ? "•••" : found);
}

/** Between digits people put spaces, dashes of every kind, brackets, slashes, and marks of direction that nobody sees. */
const BETWEEN = String.raw`[\s\p{Cf}\p{Pd}\p{Pc}()[\].·/\\'’"\u2212]*`;
const PERHAPS_A_NUMBER = String.raw`[+＋]?\p{Nd}(?:${BETWEEN}\p{Nd}){6,}`;

const DAY = "(?:0?[1-9]|[12][0-9]|3[01])";
const MONTH = "(?:0?[1-9]|1[0-2])";
const YEAR = "(?:19|20)[0-9]{2}";
/** As people here write it, or ISO 8601. */
const DATE = [
  ...["/", "-", String.raw`\.`].map((mark) => `${DAY}${mark}${MONTH}${mark}(?:${YEAR}|[0-9]{2})`),
  `${YEAR}-${MONTH}-${DAY}`,
].join("|");
const ONE_DATE = `(?:${DATE})`;
/** Alone, from one to another, or with an hour; digits beside it that are nothing of this may make it a number's part. */
const DATES =
  `((?:(?<=[0-9]:)[0-9]{2} )?${ONE_DATE}(?: ?[-–] ?${ONE_DATE})?(?: [0-9]{1,2}(?=:[0-9]))?)(?!${BETWEEN}\\p{Nd})`;

const DATE_OR_NUMBER = new RegExp(`${DATES}|${PERHAPS_A_NUMBER}`, "gu");
