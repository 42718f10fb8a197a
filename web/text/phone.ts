/** Stands where a number was erased, or forgotten in time. */
export const NO_NUMBER = "המספר נמחק";
