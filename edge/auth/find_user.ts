import { eq } from "drizzle-orm";
import type { User } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { execute, query } from "../db/query.ts";
import { users } from "../db/schema.ts";
import { toUser, USER_FIELDS } from "./user_row.ts";

/** Returns the user with `id`. @throws HttpError not_found */
export async function findUser(ctx: EdgeContext, id: number): Promise<User> {
  const { rows: [row] } = await execute(
    ctx.db,
    query.select(USER_FIELDS).from(users).where(eq(users.id, id)),
  );
  if (!row) throw new HttpError("not_found");
  return toUser(row);
}
