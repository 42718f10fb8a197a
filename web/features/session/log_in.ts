import type { User } from "shared/http_api.ts";
import { ApiError, apiJson } from "../../data/api_client.ts";
import { errorText } from "../../text/error_text.ts";
import { LOGIN } from "./text/login.ts";
import { leaveUser } from "./login_handover.ts";

/**
 * Opens a session.
 *
 * @throws {ApiError} when the server refuses
 */
export async function logIn(username: string, password: string, code?: string): Promise<User> {
  const user = await apiJson<User>("POST", "/api/auth/login", { body: { username, password, code } });
  leaveUser(user);
  return user;
}

/** Returns whether the password was correct and a code is also required. */
export function isCodeNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.code === "second_factor_needed";
}

/** Returns the time in ms at which the server accepts tries again, if it refused this one for too many. */
export function lockedUntil(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== "too_many_attempts") return undefined;
  return error.retryAfterSeconds === undefined ? undefined : Date.now() + error.retryAfterSeconds * 1000;
}

/** Returns why a login failed: a wrong name or password, unless the server gives another reason. */
export function loginFailureText(error: unknown): string {
  if (error instanceof ApiError && error.code === "invalid_input") return LOGIN.failed;
  return errorText(error, LOGIN.failed);
}
