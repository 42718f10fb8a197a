/** One line a happening; fields hold no message text, and phones only masked. */
export type Log = (level: "debug" | "info" | "warn" | "error", event: string, fields?: LogFields) => void;
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Hides the middle of a phone number: "+972501230968" becomes "+97250•••0968". */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -7)}•••${phone.slice(-4)}`;
}

/** Text of an unknown error, without its stack. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
