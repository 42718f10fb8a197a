/** One line a happening; fields hold no message text, and phones only masked. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export const LOG_FORMATS = ["json", "text"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Hides the middle of a phone number: "+972501230968" becomes "+97250•••0968". */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -7)}•••${phone.slice(-4)}`;
}

/** Numbers as the protocol, chat links and people write them; serials of phones are none of these. */
const NUMBERS = /\+[1-9]\d{7,14}(?!\d)|(?<=wa\.me\/)\d{8,15}|(?<!\w)972\d{8,9}(?!\w)|(?<!\w)05\d{8}(?!\w)/g;

/** Hides every phone number in a text that others wrote, for instance an error of adb's. */
export function maskPhonesIn(text: string): string {
  return text.replace(NUMBERS, maskPhone);
}

/** Text of an unknown error, without its stack. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch() says only "fetch failed"; its cause says why.
  return error.message === "fetch failed" && error.cause instanceof Error
    ? error.cause.message
    : error.message;
}
