/** Text for a failed call: the server's own sentence if it gave one. */
import { ApiError } from "../data/api_client.ts";

export const NO_ANSWER = "השרת לא ענה. שום דבר שנשלח לא אבד, ואפשר לנסות שוב.";

/** Returns the server's Hebrew sentence; else a text about a missing response; else `fallback`. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.serverText ?? fallback;
  // fetch() rejects with a TypeError when the network failed (Fetch standard).
  if (error instanceof TypeError) return NO_ANSWER;
  return fallback;
}
