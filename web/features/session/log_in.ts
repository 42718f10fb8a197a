import type { User } from "shared/http_api.ts";
import { ApiError, apiJson } from "../../api_client.ts";
import { errorText } from "../../text/error_text.ts";
import { LOGIN } from "../../text/login.ts";
import { leaveUser } from "./login_handover.ts";

/** Opens a session; throws ApiError when the server refuses. */
export async function logIn(username: string, password: string): Promise<User> {
  const user = await apiJson<User>("POST", "/api/auth/login", { body: { username, password } });
  leaveUser(user);
  return user;
}

/** Why a login failed: wrong words, unless the server says that something else stands in the way. */
export function loginFailureText(error: unknown): string {
  if (error instanceof ApiError && error.status < 500 && error.status !== 429) return LOGIN.failed;
  return errorText(error, LOGIN.failed);
}
