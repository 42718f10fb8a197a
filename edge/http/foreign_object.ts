import type { EdgeContext } from "../context.ts";
import type { Caller } from "./router.ts";

/** Queries that find an object, requested by its id, that belongs to another client. */
const FOREIGN: Record<string, string> = {
  campaigns: "SELECT 1 FROM campaigns WHERE id = ? AND client <> ?",
  users: "SELECT 1 FROM users WHERE id = ? AND id <> ?",
};
const NAMED = /^\/api\/(campaigns|users)\/(\d{1,15})(?:\/|$)/;

/**
 * Returns whether an object that `user` was refused as missing belongs to another client. The query runs for the log
 * alone, after the refusal, and also for ids that nothing has. The response and its time therefore reveal nothing.
 */
export async function isForeignObject(
  { db }: Pick<EdgeContext, "db">,
  user: Caller,
  path: string,
): Promise<boolean> {
  const [, table, id] = NAMED.exec(path) ?? [];
  if (table === undefined || user.role === "admin") return false;
  try {
    const { rows } = await db.execute({ sql: FOREIGN[table]!, args: [Number(id), user.client] });
    return rows.length > 0;
  } catch {
    // A failing database is reported elsewhere.
    return false;
  }
}
