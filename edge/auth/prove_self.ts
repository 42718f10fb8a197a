import { writeAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { checkCode } from "./check_code.ts";
import { usernameKey } from "./username_key.ts";
import type { LoginDoor } from "./login.ts";
import { startLoginTry } from "./login_throttle.ts";

export interface SelfProof {
  password: string;
  /** The code of the second factor, where an act requires both. */
  code?: string;
  address: string;
  /** Whether a person with a second factor must give its code as well. */
  needsEveryFactor?: boolean;
}

/**
 * Checks a logged-in person's login data again before an act that a stolen session must not do. Tries count together
 * with those of logins. Returns the hash that matched the password.
 *
 * @throws HttpError wrong_credentials, wrong_code, too_many_attempts; not_logged_in for a removed person; second_factor_needed when every factor is
 * required and there is no code; second_factor_state when there is a code and no second factor
 */
export async function proveSelf(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  { password, code, address, needsEveryFactor = false }: SelfProof,
): Promise<string> {
  const loginTry = await startLoginTry(ctx, door.throttleKey, usernameKey(user.username), address);
  const succeeded = () => ctx.db.batch(loginTry.succeeded(), "write");
  // The person was removed in between, and another may have the name by now.
  if (loginTry.user?.id !== user.person) throw new HttpError("not_logged_in");
  const { passwordHash, secondFactor } = loginTry.user;
  if (!await door.passwords.verify(passwordHash, password, { isKnown: true })) {
    const data = { from: markOf(ctx, "address", address) };
    await writeAudit(ctx, { kind: "password_refused", actor: user.person, data });
    throw wrongPassword();
  }
  if (code === undefined) {
    // The password is only half of a login, so earlier wrong codes remain counted.
    await (secondFactor ? loginTry.takenBack() : succeeded());
    if (secondFactor && needsEveryFactor) throw new HttpError("second_factor_needed");
    return passwordHash;
  }
  if (!secondFactor) throw new HttpError("second_factor_state");
  await checkCode(ctx, door.factorKeys, { userId: user.person, actor: user.person, code, address });
  await succeeded();
  return passwordHash;
}

export function wrongPassword(): HttpError {
  return new HttpError("wrong_credentials", { text: "הסיסמה הנוכחית שגויה." });
}
