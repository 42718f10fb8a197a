/** What a person reads when a call fails: the server's own sentence when it gave one. */
import { ApiError } from "../data/api_client.ts";

export const NO_ANSWER = "השרת לא ענה. שום דבר שנשלח לא אבד, ואפשר לנסות שוב.";

/** The server's Hebrew sentence; else that no answer came; else `fallback`. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.serverText ?? fallback;
  // fetch() rejects with a TypeError when the network failed (Fetch standard).
  if (error instanceof TypeError) return NO_ANSWER;
  return fallback;
}
