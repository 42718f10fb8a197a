/**
 * The person closed the question for a proof: nothing was done, and there is nothing to tell them. In a file of its own,
 * since every screen knows it and few screens ask the question.
 */
export class ProofDeclinedError extends Error {
  override readonly name = "ProofDeclinedError";
}

/** Calls `onDone` when an act ends either way; after a closed question what was typed for the act stays open. */
export function unlessDeclined(onDone: () => void): (result: unknown, error: unknown) => void {
  return (_result, error) => {
    if (!(error instanceof ProofDeclinedError)) onDone();
  };
}
