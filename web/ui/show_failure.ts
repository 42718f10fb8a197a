import { isSessionOver } from "../data/api_client.ts";
import { errorText } from "../text/error_text.ts";
import { UNSURE } from "../text/unsure.ts";
import { ProofDeclinedError } from "../data/proof_declined_error.ts";
import { showToast } from "./toast_store.ts";

export interface Failure {
  title: string;
  description: string;
}

/**
 * Returns the words of a failure: the server's sentence, or `fallback`. Undefined for an ended session, which the
 * frame reports, and after a declined proof. After a lost response the action may have been done, so `title` (which
 * says that it failed) is not used.
 */
export function failureOf(title: string, error: unknown, fallback: string): Failure | undefined {
  if (isSessionOver(error) || error instanceof ProofDeclinedError) return undefined;
  if (error instanceof TypeError) return UNSURE;
  return { title, description: errorText(error, fallback) };
}

/** Shows a failure as a toast: for acts without a place on the screen where the words could stay. */
export function showFailure(title: string, error: unknown, fallback: string): void {
  const failure = failureOf(title, error, fallback);
  if (failure) showToast({ ...failure, tone: "bad" });
}
