import { noteAudit } from "../audit_log/note_audit.ts";
import { startLoginTry } from "../auth/login_throttle.ts";
import type { LoginDoor } from "../auth/login.ts";
import { goOnAlone } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { usernameKey } from "../auth/username_key.ts";
import { bareCode, newRecoveryCodes } from "../auth/recovery_codes.ts";
import { readSecret, refuseCode } from "../auth/check_code.ts";
import { stepOf } from "../auth/totp.ts";

/**
 * Turns on the second factor that `user` began, by its first code: each login requires one from now on. Ends their
 * other sessions. Returns this session's new id, and the recovery codes this one time.
 *
 * @throws HttpError wrong_code, too_many_attempts; second_factor_state when none was begun, or it is already on
 */
export async function confirmSecondFactor(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  { code, address }: { code: string; address: string },
): Promise<{ recoveryCodes: string[]; sessionId: string }> {
  const loginTry = await startLoginTry(ctx, door.throttleKey, usernameKey(user.username), address);
  const begun = await readSecret(ctx, door.factorKeys, user.person, "begun");
  if (begun === null) throw new HttpError("second_factor_state");
  const step = stepOf(begun.secret, bareCode(code), ctx.now());
  if (step === null) return await refuseCode(ctx, { userId: user.person, actor: user.person, address });
  await loginTry.takenBack();
  const { codes, statements } = newRecoveryCodes(ctx, user.person);
  const alone = await goOnAlone(ctx, user);
  await inTransaction(ctx.db, async (tx) => {
    const { rowsAffected } = await tx.execute({
      sql: `UPDATE second_factors SET confirmed_at = ?, last_step = ?
        WHERE user = ? AND secret = ? AND confirmed_at IS NULL`,
      args: [ctx.now(), step, user.person, begun.sealed],
    });
    if (rowsAffected === 0) throw new HttpError("second_factor_state");
    await tx.batch([
      ...statements,
      ...alone.statements,
      noteAudit(ctx.now(), { kind: "second_factor_on", actor: user.person }),
    ]);
  });
  ctx.wakeOutbox();
  return { recoveryCodes: codes, sessionId: alone.sessionId };
}
