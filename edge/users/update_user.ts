import type { InStatement } from "@libsql/client/web";
import type { User } from "shared/http_api.ts";
import type { Passwords } from "../auth/password.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { toUser, USER_COLUMNS } from "./user_row.ts";

export interface UserChange {
  userId: number;
  /** The administrator whose act it is. */
  actorId: number;
  disabled?: boolean;
  /** A new password. */
  password?: string;
}

/**
 * Disables, enables, or gives a new password. Disabling and a new password end the user's sessions. Throws
 * `not_found`, and `invalid_input` when administrators disable themselves: somebody must be able to undo it.
 */
export async function updateUser(ctx: EdgeContext, passwords: Passwords, change: UserChange): Promise<User> {
  const { userId, actorId, disabled, password } = change;
  if (disabled && userId === actorId) {
    throw new HttpError("invalid_input", { text: "אי אפשר להשבית את המשתמש שלך." });
  }
  const hash = password === undefined ? null : await passwords.hash(password);
  const update: InStatement = {
    sql: `UPDATE users SET disabled = coalesce(?, disabled), password_hash = coalesce(?, password_hash)
      WHERE id = ? RETURNING ${USER_COLUMNS}`,
    args: [disabled === undefined ? null : Number(disabled), hash, userId],
  };
  const endsSessions = disabled || hash !== null;
  const [updated] = await ctx.db.batch(
    endsSessions ? [update, ...endSessionsOf(ctx, userId)] : [update],
    "write",
  );
  if (endsSessions) ctx.wakeOutbox();
  const row = updated!.rows[0];
  if (!row) throw new HttpError("not_found");
  return toUser(row);
}
