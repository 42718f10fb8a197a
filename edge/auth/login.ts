import type { User } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { toUser, USER_COLUMNS } from "../users/user_row.ts";
import { usernameKey } from "../users/username_key.ts";
import { startLoginTry } from "./login_throttle.ts";
import type { Passwords } from "./password.ts";
import { openSession } from "./sessions.ts";

export interface LoginDoor {
  passwords: Passwords;
  /** Hashes what the throttle stores. */
  throttleKey: CryptoKey;
}

export interface LoginRequest {
  username: string;
  password: string;
  /** Of the caller, as client_address.ts tells it. */
  address: string;
  userAgent: string;
}

/**
 * Opens a session for a username and its password. An unknown name, a wrong password and a disabled user are one
 * answer after the same work: `wrong_credentials`; too many tries are `too_many_attempts`.
 */
export async function login(
  ctx: EdgeContext,
  door: LoginDoor,
  request: LoginRequest,
): Promise<{ user: User; sessionId: string }> {
  const key = usernameKey(request.username);
  const loginTry = await startLoginTry(ctx, door.throttleKey, key, request.address);
  const { rows: [row] } = await ctx.db.execute({
    sql: `SELECT ${USER_COLUMNS}, password_hash FROM users WHERE username_key = ?`,
    args: [key],
  });
  const isRight = await door.passwords.verify(row ? String(row.password_hash) : null, request.password);
  if (!row || !isRight || row.disabled === 1) throw new HttpError("wrong_credentials");
  await loginTry.succeeded();
  return { user: toUser(row), sessionId: await openSession(ctx, Number(row.id), request.userAgent) };
}
