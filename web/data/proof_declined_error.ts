/**
 * Thrown when the person closes the proof dialog: nothing was done, so no message is needed. A separate file,
 * because every screen imports it and few screens show the dialog.
 */
export class ProofDeclinedError extends Error {
  override readonly name = "ProofDeclinedError";
}

/**
 * Returns a callback that calls `onDone` after success or failure; after a declined proof the form stays open with
 * its entries.
 */
export function unlessDeclined(onDone: () => void): (result: unknown, error: unknown) => void {
  return (_result, error) => {
    if (!(error instanceof ProofDeclinedError)) onDone();
  };
}
