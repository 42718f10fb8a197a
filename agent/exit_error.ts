/** Errors that end the program, and the exit code of each. After 1 and 2 a new start does not help. */
export const EXIT_CODE = {
  /** The edge refused: the join token is used or expired. */
  refused: 1,
  /** The examined site has a problem, or the requested act was not done. */
  unwell: 1,
  /** The command line is wrong. */
  usage: 2,
  /** A setting or a file is wrong. */
  config: 2,
  /** The edge cannot be reached (EX_UNAVAILABLE of sysexits.h). */
  unavailable: 69,
  /** A fault of this program (EX_SOFTWARE). */
  fault: 70,
  /** Another agent still holds this directory (EX_CANTCREAT). */
  locked: 73,
  /** Another rehearsal is in the way: the same command succeeds later (EX_TEMPFAIL). */
  busy: 75,
} as const;

/** An error that ends the program with its message and the exit code of its kind. */
export class ExitError extends Error {
  override name = "ExitError";
  constructor(readonly kind: keyof typeof EXIT_CODE, message: string) {
    super(message);
  }
}
