import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { z } from "zod";
import type { ActivityPage, activityQuerySchema } from "shared/admin_api.ts";
import type { EdgeContext } from "../context.ts";
import { codesContaining, wordActivity } from "../text/activity_words.ts";
import { containsPattern } from "../db/contains_pattern.ts";
import { execute, query } from "../db/query.ts";
import { activity } from "../db/schema.ts";

/** Returns a page of the activity list, newest first. `q` is searched in the names and in the words of a line. */
export async function listActivity(
  ctx: EdgeContext,
  { kind, q, cursor, limit }: z.infer<typeof activityQuerySchema>,
): Promise<ActivityPage> {
  const isShown = and(
    cursor === undefined ? undefined : lt(activity.id, cursor),
    kind && eq(activity.kind, kind),
    q ? contains(q) : undefined,
  );
  const { rows } = await execute(
    ctx.db,
    query.select().from(activity).where(isShown).orderBy(desc(activity.id)).limit(limit + 1),
  );
  const items = rows.slice(0, limit).map(wordActivity);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

function contains(q: string) {
  const { code, data } = activity;
  // Names are in the JSON, with their quotes escaped.
  const pattern = containsPattern(JSON.stringify(q).slice(1, -1));
  return or(inArray(code, codesContaining(q)), sql`${data} LIKE ${pattern} ESCAPE '\\'`);
}
