import type { InValue } from "@libsql/client/web";
import type { z } from "zod";
import type { ActivityPage, activityQuerySchema } from "shared/admin_api.ts";
import type { EdgeContext } from "../context.ts";
import { type ActivityRow, codesContaining, wordActivity } from "../text/activity_words.ts";
import { containsPattern } from "../db/contains_pattern.ts";

/** Returns a page of the activity list, newest first. `q` is searched in the names and in the words of a line. */
export async function listActivity(
  ctx: EdgeContext,
  { kind, q, cursor, limit }: z.infer<typeof activityQuerySchema>,
): Promise<ActivityPage> {
  const where = ["id < ?"];
  const args: InValue[] = [cursor ?? Number.MAX_SAFE_INTEGER];
  if (kind) {
    where.push("kind = ?");
    args.push(kind);
  }
  if (q) {
    where.push("(code IN (SELECT value FROM json_each(?)) OR data LIKE ? ESCAPE '\\')");
    // Names are in the JSON, with their quotes escaped.
    args.push(JSON.stringify(codesContaining(q)), containsPattern(JSON.stringify(q).slice(1, -1)));
  }
  const { rows } = await ctx.db.execute({
    sql: `SELECT id, at, kind, code, data, site, device, campaign, user FROM activity
      WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ?`,
    args: [...args, limit + 1],
  });
  const items = rows.slice(0, limit).map((row) => wordActivity(row as unknown as ActivityRow));
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}
