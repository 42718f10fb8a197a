import { HttpError } from "./http_error.ts";

/**
 * Ends long work between two of its pieces once nobody waits for the answer: `left` is the signal of the request, which
 * the runtime aborts when its connection closes.
 *
 * @throws HttpError invalid_input, as for a body that breaks off
 */
export function endIfCallerLeft(left: AbortSignal | undefined): void {
  if (!left?.aborted) return;
  const text = "החיבור נסגר באמצע, והפעולה נעצרה. אפשר לנסות שוב.";
  throw new HttpError("invalid_input", { text, detail: "the caller left" });
}
