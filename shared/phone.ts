/** A phone number in its three forms: stored digits, "+…" on the wire, and as people read it. */
import { z } from "zod";

/** E.164 with its plus sign (ITU-T E.164: at most 15 digits). */
export const phoneTextSchema = z.string().regex(/^\+[1-9]\d{6,14}$/);

/** Why a text is not a phone number that can be written to. */
export const PHONE_PROBLEMS = [
  "empty",
  "not_a_number",
  "too_short",
  "too_long",
  "not_valid",
  /** A spreadsheet kept the first digits only (9.725E+11): the number is lost. */
  "excel_exponent",
] as const;
export const phoneProblemSchema = z.enum(PHONE_PROBLEMS);
export type PhoneProblem = z.infer<typeof phoneProblemSchema>;

const HOME_CODE = "+972";

/** 972543710968 → "+972543710968". */
export function phoneToText(phone: number): string {
  return `+${phone}`;
}

/** "+972543710968" → 972543710968. @throws TypeError when the text is not E.164 */
export function phoneFromText(text: string): number {
  if (!phoneTextSchema.safeParse(text).success) {
    throw new TypeError("Cannot read phone number: it is not E.164");
  }
  return Number(text.slice(1));
}

/** "+972543710968" → "054-371-0968", "+97246010042" → "04-601-0042", "+442079460958" → "+44 20 7946 0958". */
export function formatPhone(text: string): string {
  return isHome(text) ? homeGroups(text).join("-") : foreignGroups(text).join(" ");
}

/** As formatPhone(), with only the beginning and the last four digits: "054-•••-0968". */
export function maskPhone(text: string): string {
  if (!isHome(text)) return `${foreignGroups(text)[0]} ••• ${text.slice(-4)}`;
  const groups = homeGroups(text);
  return [groups[0], "•••", groups.at(-1)].join("-");
}

/** Israeli numbers of the usual lengths; others (1-800, voice boxes) are shown as foreign ones are. */
function isHome(text: string): boolean {
  return /^\+972(?:[57]\d{8}|[2-489]\d{7})$/.test(text);
}

function homeGroups(text: string): string[] {
  const local = `0${text.slice(HOME_CODE.length)}`;
  return [local.slice(0, -7), local.slice(-7, -4), local.slice(-4)];
}

/** The calling code, then groups of three or four. */
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

/** ITU-T E.164 list of assigned country codes: those of one and two digits; the others have three. */
const CALLING_CODE = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
