import { writeAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { checkCode } from "../second_factor/check_code.ts";
import { toUser, USER_COLUMNS } from "../users/user_row.ts";
import { usernameKey } from "../users/username_key.ts";
import type { LoginDoor } from "./login.ts";
import { startLoginTry } from "./login_throttle.ts";

export interface SelfProof {
  password: string;
  /** Of the second factor, where an act asks for both. */
  code?: string;
  address: string;
}

/**
 * Asks whoever is logged in for what a login asks for, before an act that a stolen session shall not do: counted as a
 * login is. Answers the hash that the password was compared with. Throws `wrong_credentials`, `wrong_code`, `too_many_attempts`, and `second_factor_state` when a code is
 * given and there is nothing to give it for.
 */
export async function proveSelf(
  ctx: EdgeContext,
  door: LoginDoor,
  user: SessionUser,
  { password, code, address }: SelfProof,
): Promise<string> {
  const loginTry = await startLoginTry(ctx, door.throttleKey, usernameKey(user.username), address, [{
    sql: `SELECT ${USER_COLUMNS}, password_hash FROM users WHERE id = ?`,
    args: [user.id],
  }]);
  const [{ rows: [row] }] = loginTry.beside;
  const succeeded = () => ctx.db.batch(loginTry.succeeded(), "write");
  const passwordHash = String(row?.password_hash);
  if (!await door.passwords.verify(passwordHash, password)) {
    const data = { from: markOf(ctx, "address", address) };
    await writeAudit(ctx, { kind: "password_refused", actor: user.id, data });
    throw wrongPassword();
  }
  const { secondFactor } = toUser(row!);
  if (code === undefined) {
    // With half of what a login needs the wrong codes before stay counted.
    await (secondFactor ? loginTry.takenBack() : succeeded());
    return passwordHash;
  }
  if (!secondFactor) throw new HttpError("second_factor_state");
  await checkCode(ctx, door.factorKeys, { userId: user.id, actor: user.id, code, address });
  await succeeded();
  return passwordHash;
}

export function wrongPassword(): HttpError {
  return new HttpError("wrong_credentials", { text: "הסיסמה הנוכחית שגויה." });
}
