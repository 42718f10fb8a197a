import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "./router.ts";

/** Of what clients ask for by number, whose is another's. */
const FOREIGN: Record<string, string> = {
  campaigns: "SELECT 1 FROM campaigns WHERE id = ? AND client <> ?",
  users: "SELECT 1 FROM users WHERE id = ? AND id <> ?",
};
const NAMED = /^\/api\/(campaigns|users)\/(\d{1,15})(?:\/|$)/;

/**
 * Whether what `user` was told does not exist is another's. Asked for the log alone, behind the refusal, and the same
 * of what is nobody's: the answer and its time tell the caller nothing.
 */
export async function isForeignObject(
  { db }: Pick<EdgeContext, "db">,
  user: SessionUser,
  path: string,
): Promise<boolean> {
  const [, table, id] = NAMED.exec(path) ?? [];
  if (table === undefined || user.role === "admin") return false;
  try {
    const { rows } = await db.execute({ sql: FOREIGN[table]!, args: [Number(id), user.id] });
    return rows.length > 0;
  } catch {
    // A database that fails says so elsewhere.
    return false;
  }
}
