import { HttpError } from "./http_error.ts";

/**
 * Throws between two pieces of long work after its caller has left. `left` is the request's signal: the runtime
 * aborts it when the connection closes.
 *
 * @throws HttpError invalid_input, as for a body that breaks off
 */
export function endIfCallerLeft(left: AbortSignal | undefined): void {
  if (!left?.aborted) return;
  const text = "החיבור נסגר באמצע, והפעולה נעצרה. אפשר לנסות שוב.";
  throw new HttpError("invalid_input", { text, detail: "the caller left" });
}
