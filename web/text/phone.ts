/** Shown in place of a number that was erased, or deleted after the retention time. */
export const NO_NUMBER = "המספר נמחק";
