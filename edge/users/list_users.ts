import type { User } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { toUser, USER_COLUMNS } from "../auth/user_row.ts";

/** Returns all users in the order of their creation. */
export async function listUsers(ctx: EdgeContext): Promise<User[]> {
  const { rows } = await ctx.db.execute(`SELECT ${USER_COLUMNS} FROM users ORDER BY id`);
  return rows.map(toUser);
}
