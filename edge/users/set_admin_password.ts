import type { Passwords } from "../auth/password.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { usernameKey } from "./username_key.ts";

/**
 * Gives the administrator `username` a new password, enables them and ends their sessions: the way back in when
 * nobody can log in. Returns false when there is no administrator of that name.
 */
export async function setAdminPassword(
  ctx: EdgeContext,
  passwords: Passwords,
  username: string,
  password: string,
): Promise<boolean> {
  const { rows: [admin] } = await ctx.db.execute({
    sql: "SELECT id FROM users WHERE username_key = ? AND role = 'admin'",
    args: [usernameKey(username)],
  });
  if (!admin) return false;
  const hash = await passwords.hash(password);
  await ctx.db.batch([
    { sql: "UPDATE users SET password_hash = ?, disabled = 0 WHERE id = ?", args: [hash, admin.id!] },
    ...endSessionsOf(ctx, Number(admin.id)),
  ], "write");
  ctx.wakeOutbox();
  return true;
}
