import { eq, sql } from "drizzle-orm";
import type { User } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { buildOnce, query } from "../db/query.ts";
import { users } from "../db/schema.ts";
import { toUser, USER_FIELDS } from "./user_row.ts";

const find = buildOnce(query.select(USER_FIELDS).from(users).where(eq(users.id, sql.placeholder("id"))));

/** Returns the user with `id`. @throws HttpError not_found */
export async function findUser(ctx: EdgeContext, id: number): Promise<User> {
  const { rows: [row] } = await find(ctx.db, { id });
  if (!row) throw new HttpError("not_found");
  return toUser(row);
}
