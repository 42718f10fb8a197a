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

/** Returns why a login failed: a wrong name or password, unless the server gives another reason. */
export function loginFailureText(error: unknown): string {
  if (error instanceof ApiError && error.code === "invalid_input") return LOGIN.failed;
  return errorText(error, LOGIN.failed);
}
