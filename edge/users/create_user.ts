import type { Role, User } from "shared/http_api.ts";
import type { Passwords } from "../auth/password.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { toUser, USER_COLUMNS } from "./user_row.ts";
import { usernameKey } from "./username_key.ts";

export interface NewUser {
  username: string;
  password: string;
  role: Role;
}

/** Makes a user with a quota of 0. Throws `username_taken`, whatever the case it is typed in. */
export async function createUser(ctx: EdgeContext, passwords: Passwords, user: NewUser): Promise<User> {
  const { rows: [row] } = await ctx.db.execute({
    sql: `INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (username_key) DO NOTHING RETURNING ${USER_COLUMNS}`,
    args: [
      user.username,
      usernameKey(user.username),
      await passwords.hash(user.password),
      user.role,
      ctx.now(),
    ],
  });
  if (!row) throw new HttpError("username_taken");
  return toUser(row);
}
