import { isSessionOver } from "../api_client.ts";
import { errorText } from "../text/error_text.ts";
import { showToast } from "./toast_store.ts";

/** A destructive toast with the server's sentence, or `fallback`; a session that is over is told by the frame. */
export function showFailure(title: string, error: unknown, fallback: string): void {
  if (isSessionOver(error)) return;
  showToast({ title, description: errorText(error, fallback), tone: "bad" });
}
