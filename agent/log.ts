/** Log entries are one line each. Fields hold no message text, and phone numbers only masked. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export const LOG_FORMATS = ["json", "text"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Hides the middle of a phone number: "+972501230968" becomes "+97250•••0968". */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -7)}•••${phone.slice(-4)}`;
}

/** Numbers in the forms of the protocol, of chat links and of people. Serials of phones match none of them. */
const NUMBERS = /\+[1-9]\d{7,14}(?!\d)|(?<=wa\.me\/)\d{8,15}|(?<!\w)972\d{8,9}(?!\w)|(?<!\w)05\d{8}(?!\w)/g;

/** Hides every phone number in a text from outside, for instance an error of adb. */
export function maskPhonesIn(text: string): string {
  return text.replace(NUMBERS, maskPhone);
}

/** Returns the text of an unknown error, without its stack. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch() throws only "fetch failed"; the cause holds the reason.
  return error.message === "fetch failed" && error.cause instanceof Error
    ? error.cause.message
    : error.message;
}
