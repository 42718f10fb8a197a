/** Length limits, in characters, of an administrator's stated reason; server and screen use the same. */
export interface ReasonChars {
  least: number;
  most: number;
}

/** For showing or erasing numbers: at least a few words, so that a reader of the audit log understands. */
export const NUMBERS_REASON_CHARS: ReasonChars = { least: 5, most: 300 };

/** For an exception of one campaign from the sending hours, or for allowing messages to a removed recipient again. */
export const EXCEPTION_REASON_CHARS: ReasonChars = { least: 3, most: 200 };
