import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { inTransaction } from "../db/in_transaction.ts";
import type { LoginDoor } from "./login.ts";
import { checkNewPassword } from "./new_password.ts";
import { proveSelf, wrongPassword } from "./prove_self.ts";
import { goOnAlone } from "./sessions.ts";

/**
 * Gives `user` a new password, ends their other sessions, and returns the new id of this one: a thief of the old id
 * is out as well.
 *
 * @throws HttpError wrong_credentials when `current` is not the password; too_many_attempts after too many wrong
 * guesses, so that a stolen session cannot avoid the throttle; invalid_input for a common password or the first one
 * again
 */
export async function changePassword(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  change: { current: string; next: string; address: string },
): Promise<string> {
  checkNewPassword(user.username, change.next);
  if (user.owes === "new_password_required" && change.next === change.current) {
    throw new HttpError("invalid_input", { text: "הסיסמה החדשה זהה לנוכחית. נא לבחור סיסמה אחרת." });
  }
  const proved = await proveSelf(ctx, door, user, { password: change.current, address: change.address });
  const hash = await door.passwords.hash(change.next);
  const { sessionId, statements } = await goOnAlone(ctx, user);
  await inTransaction(ctx.db, async (tx) => {
    const { rowsAffected } = await tx.execute({
      sql:
        "UPDATE users SET password_hash = ?, first_password_until = NULL WHERE id = ? AND password_hash = ?",
      args: [hash, user.person, proved],
    });
    // Another request changed the password while this one was hashed.
    if (rowsAffected === 0) throw wrongPassword();
    await tx.batch([...statements, noteAudit(ctx.now(), { kind: "password_changed", actor: user.person })]);
  });
  ctx.wakeOutbox();
  return sessionId;
}
