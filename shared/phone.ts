/** Formats phone numbers for people, and lists the reasons for an invalid one. */

/** Reasons why a text is not a phone number that can receive messages. */
export type PhoneProblem =
  | "empty"
  | "not_a_number"
  | "too_short"
  | "too_long"
  | "not_valid"
  /** A spreadsheet kept only the first digits (9.725E+11); the number is lost. */
  | "excel_exponent";

const HOME_CODE = "+972";

/** "+972543710968" → "054-371-0968", "+97246010042" → "04-601-0042", "+442079460958" → "+44 20 7946 0958". */
export function formatPhone(text: string): string {
  return isHome(text) ? homeGroups(text).join("-") : foreignGroups(text).join(" ");
}

/**
 * Returns whether a number is Israeli with a usual length; others (1-800, voice boxes) are formatted like foreign
 * numbers.
 */
function isHome(text: string): boolean {
  return /^\+972(?:[57]\d{8}|[2-489]\d{7})$/.test(text);
}

function homeGroups(text: string): string[] {
  const local = `0${text.slice(HOME_CODE.length)}`;
  return [local.slice(0, -7), local.slice(-7, -4), local.slice(-4)];
}

/** Returns the calling code, then groups of three or four digits. */
function foreignGroups(text: string): string[] {
  const [code] = CALLING_CODE.exec(text)!;
  const national = text.slice(code.length);
  if (code === "+1") return [code, national.slice(0, 3), national.slice(3, 6), national.slice(6)];
  const size = national.length % 3 === 0 ? 3 : 4;
  const groups: string[] = [];
  for (let end = national.length; end > 0; end -= size) {
    groups.unshift(national.slice(Math.max(0, end - size), end));
  }
  return [code, ...groups];
}

/** ITU-T E.164 country codes of one and two digits; all others have three. */
const CALLING_CODE = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
