/** Errors that end the program, and the exit code of each (sysexits.h numbers where one fits). */
export const EXIT_CODE = {
  /** The command line makes no sense (EX_USAGE). */
  usage: 64,
  /** The edge is not there (EX_UNAVAILABLE). */
  unavailable: 69,
  /** Another agent runs on this directory (EX_CANTCREAT). */
  locked: 73,
  /** The edge refused: a join token used or expired, a revoked site (EX_NOPERM). */
  refused: 77,
  /** A setting or a file is wrong (EX_CONFIG). */
  config: 78,
} as const;

export class ExitError extends Error {
  override name = "ExitError";
  constructor(readonly kind: keyof typeof EXIT_CODE, message: string) {
    super(message);
  }
}
