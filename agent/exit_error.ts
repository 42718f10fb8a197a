/** Errors that end the program, and the exit code of each: 1 and 2 mean that starting it again will not help. */
export const EXIT_CODE = {
  /** The edge refused: a join token used or expired. */
  refused: 1,
  /** What was asked about is not well, or what was asked for was not done. */
  unwell: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** A setting or a file is wrong. */
  config: 2,
  /** The edge is not there (EX_UNAVAILABLE of sysexits.h). */
  unavailable: 69,
  /** A fault of ours (EX_SOFTWARE). */
  fault: 70,
  /** Another agent still holds this directory (EX_CANTCREAT). */
  locked: 73,
} as const;

/** Ends the program with its message and the exit code of its kind. */
export class ExitError extends Error {
  override name = "ExitError";
  constructor(readonly kind: keyof typeof EXIT_CODE, message: string) {
    super(message);
  }
}
