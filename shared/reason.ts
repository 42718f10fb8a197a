/** How much is asked of an administrator who states why, in characters: what the server refuses the screen asks for. */
export interface ReasonChars {
  least: number;
  most: number;
}

/** Before people's numbers are shown or erased: a few words at least, so that whoever reads the audit log understands. */
export const NUMBERS_REASON_CHARS: ReasonChars = { least: 5, most: 300 };

/** Before one campaign passes by the sending hours, or one recipient who was removed is written to again. */
export const EXCEPTION_REASON_CHARS: ReasonChars = { least: 3, most: 200 };
