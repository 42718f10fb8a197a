import { isSessionOver } from "../api_client.ts";
import { errorText } from "../text/error_text.ts";
import { UNSURE } from "../text/unsure.ts";
import { showToast } from "./toast_store.ts";

/**
 * A destructive toast with the server's sentence, or `fallback`; a session that is over is told by the frame. Without
 * an answer nobody knows whether it was done, and `title` would say that it was not.
 */
export function showFailure(title: string, error: unknown, fallback: string): void {
  if (isSessionOver(error)) return;
  if (error instanceof TypeError) return showToast({ ...UNSURE, tone: "bad" });
  showToast({ title, description: errorText(error, fallback), tone: "bad" });
}
