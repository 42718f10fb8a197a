import type { User } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { toUser, USER_COLUMNS } from "./user_row.ts";

/** Returns the user with `id`. @throws HttpError not_found */
export async function findUser(ctx: EdgeContext, id: number): Promise<User> {
  const { rows: [row] } = await ctx.db.execute({
    sql: `SELECT ${USER_COLUMNS} FROM users WHERE id = ?`,
    args: [id],
  });
  if (!row) throw new HttpError("not_found");
  return toUser(row);
}
