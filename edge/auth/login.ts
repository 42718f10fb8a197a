import type { User } from "shared/http_api.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { checkCode } from "./check_code.ts";
import { toUser } from "./user_row.ts";
import { usernameKey } from "./username_key.ts";
import { startLoginTry } from "./login_throttle.ts";
import type { Passwords } from "./password.ts";
import type { SealingKeys } from "../keys/sealed.ts";
import { openSession } from "./sessions.ts";

export interface LoginDoor {
  passwords: Passwords;
  /** The key of the hashes that the throttle stores. */
  throttleKey: CryptoKey;
  /** Seal and open the secrets of second factors. */
  factorKeys: SealingKeys;
}

export interface LoginRequest {
  username: string;
  password: string;
  /** The code of the second factor. */
  code?: string;
  /** The caller's address, from client_address.ts. */
  address: string;
  userAgent: string;
}

/**
 * Opens a session for a username, its password, and a code when the user has a second factor. An unknown name, a
 * wrong password and a disabled user give the same response after the same work.
 *
 * @throws HttpError wrong_credentials; too_many_attempts; only after the right password: first_password_over,
 * person_waits, second_factor_needed, wrong_code
 */
export async function login(
  ctx: EdgeContext,
  door: LoginDoor,
  request: LoginRequest,
): Promise<{ user: User; sessionId: string }> {
  const key = usernameKey(request.username);
  const loginTry = await startLoginTry(ctx, door.throttleKey, key, request.address);
  const row = loginTry.user;
  const isRight = await door.passwords.verify(row?.passwordHash ?? null, request.password, {
    isKnown: loginTry.isUsualPlace,
  });
  const from = markOf(ctx, "address", request.address);
  const noteFailed = () => {
    // Never the name as it was typed: it may be a password in the wrong field.
    const data = { from, name: markOf(ctx, "name", key) };
    return writeAudit(ctx, { kind: "login_failed", actor: null, user: row?.id, data });
  };
  if (!row || !isRight || row.disabled || row.accountDisabled) {
    await noteFailed();
    throw new HttpError("wrong_credentials");
  }
  if (row.firstPasswordUntil !== null && row.firstPasswordUntil <= ctx.now()) {
    await loginTry.takenBack();
    await noteFailed();
    throw new HttpError("first_password_over");
  }
  if (row.waits) {
    await loginTry.takenBack();
    await noteFailed();
    throw new HttpError("person_waits");
  }
  const user = toUser(row);
  if (user.secondFactor) {
    const { code, address } = request;
    if (code === undefined) {
      await loginTry.takenBack();
      throw new HttpError("second_factor_needed");
    }
    await checkCode(ctx, door.factorKeys, { userId: user.id, actor: null, code, address });
  }
  const proof = { userId: user.id, passwordHash: row.passwordHash, byCode: user.secondFactor };
  const about = { userAgent: request.userAgent, from };
  const sessionId = await openSession(ctx, proof, about, loginTry.succeeded());
  if (sessionId === null) {
    await noteFailed();
    throw new HttpError("wrong_credentials");
  }
  return { user, sessionId };
}
