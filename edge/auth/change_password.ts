import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { usernameKey } from "../users/username_key.ts";
import type { LoginDoor } from "./login.ts";
import { startLoginTry } from "./login_throttle.ts";
import { endSessionsOf } from "./sessions.ts";

/**
 * Gives `user` a new password and ends their other sessions. Throws `wrong_credentials` when `current` isn't the
 * password, `too_many_attempts` when it was guessed too often: a stolen session is no way around the throttle.
 */
export async function changePassword(
  ctx: EdgeContext,
  door: LoginDoor,
  user: SessionUser,
  change: { current: string; next: string; address: string },
): Promise<void> {
  const loginTry = await startLoginTry(ctx, door.throttleKey, usernameKey(user.username), change.address);
  const { rows: [row] } = await ctx.db.execute({
    sql: "SELECT password_hash FROM users WHERE id = ?",
    args: [user.id],
  });
  if (!await door.passwords.verify(String(row?.password_hash), change.current)) {
    throw new HttpError("wrong_credentials", { text: "הסיסמה הנוכחית שגויה." });
  }
  await loginTry.succeeded();
  const hash = await door.passwords.hash(change.next);
  await ctx.db.batch([
    { sql: "UPDATE users SET password_hash = ? WHERE id = ?", args: [hash, user.id] },
    ...endSessionsOf(ctx, user.id, user.sessionHash),
  ], "write");
  ctx.wakeOutbox();
}
