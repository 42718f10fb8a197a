import { HttpError } from "../http/http_error.ts";
import type { FoundKey } from "./find_key.ts";
import { findKeyCall } from "./key_calls.ts";

/**
 * Checks that the key may make this call.
 *
 * @throws HttpError not_by_key, key_scope, test_key
 */
export function checkKeyCall({ user, scopes }: FoundKey, method: string, path: string): void {
  const call = findKeyCall(method, path);
  if (call === undefined) throw new HttpError("not_by_key");
  const needed = call.scopes;
  if (needed !== "any" && !needed.some((scope) => scopes.includes(scope))) {
    throw new HttpError("key_scope", { detail: `needs ${needed.join(" or ")}` });
  }
  if (user.key.isTest && !call.isDraft) throw new HttpError("test_key");
}
