import { isSessionOver } from "../data/api_client.ts";
import { errorText } from "../text/error_text.ts";
import { UNSURE } from "../text/unsure.ts";
import { ProofDeclinedError } from "../data/proof_declined_error.ts";
import { showToast } from "./toast_store.ts";

/**
 * Shows a destructive toast with the server's sentence, or `fallback`. Not for a session that is over, which the frame
 * tells, nor after a person closed the question for the password. Without an answer nobody knows whether it was done,
 * and `title` would say that it was not.
 */
export function showFailure(title: string, error: unknown, fallback: string): void {
  if (isSessionOver(error) || error instanceof ProofDeclinedError) return;
  if (error instanceof TypeError) return showToast({ ...UNSURE, tone: "bad" });
  showToast({ title, description: errorText(error, fallback), tone: "bad" });
}
