import { isSessionOver } from "../data/api_client.ts";
import { errorText } from "../text/error_text.ts";
import { UNSURE } from "../text/unsure.ts";
import { ProofDeclinedError } from "../data/proof_declined_error.ts";
import { showToast } from "./toast_store.ts";

/**
 * Shows an error toast with the server's sentence, or `fallback`. It shows nothing for an ended session, which the
 * frame reports, and after a declined proof. After a lost response the action may have been done, so `title`
 * (which says that it failed) is not used.
 */
export function showFailure(title: string, error: unknown, fallback: string): void {
  if (isSessionOver(error) || error instanceof ProofDeclinedError) return;
  if (error instanceof TypeError) return showToast({ ...UNSURE, tone: "bad" });
  showToast({ title, description: errorText(error, fallback), tone: "bad" });
}
