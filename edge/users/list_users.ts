import { isNull, sql } from "drizzle-orm";
import type { User } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { toUser, USER_FIELDS } from "../auth/user_row.ts";
import { execute, query } from "../db/query.ts";
import { users } from "../db/schema.ts";

/** Returns all users in the order of their creation; colleagues follow the owner of their account. */
export async function listUsers(ctx: EdgeContext): Promise<User[]> {
  const { rows } = await execute(
    ctx.db,
    query.select(USER_FIELDS).from(users).where(isNull(users.leftAt))
      .orderBy(sql`coalesce(${users.worksFor}, ${users.id})`, users.id),
  );
  return rows.map(toUser);
}
