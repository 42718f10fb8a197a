import { getTableColumns } from "drizzle-orm";
import type { Erasure } from "shared/privacy.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, orNull, type RowAs, rowsAs } from "../db/query.ts";
import { erasures, users } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";

const SELECT = `SELECT e.*, u.username, (SELECT json_group_array(json_object('id', s.id, 'name', s.name,
    'answeredAt', o.answered_at, 'removed', o.removed, 'revoked', s.revoked))
    FROM erasure_sites o JOIN sites s ON s.id = o.site WHERE o.erasure = e.id) AS sites
  FROM erasures e LEFT JOIN users u ON u.id = e.user`;
const FIELDS = {
  ...getTableColumns(erasures),
  username: orNull(users.username),
  sites: jsonOf<(Omit<Erasure["sites"][number], "revoked"> & { revoked: number })[]>(),
};

/** Returns certificates, newest first. */
export async function listErasures(
  ctx: EdgeContext,
  { cursor = Number.MAX_SAFE_INTEGER, limit }: { cursor?: number | undefined; limit: number },
): Promise<{ items: Erasure[]; nextCursor: number | null }> {
  const found = await ctx.db.execute({
    sql: `${SELECT} WHERE e.id < ? ORDER BY e.id DESC LIMIT ?`,
    args: [cursor, limit + 1],
  });
  const rows = rowsAs(found, FIELDS);
  const items = rows.slice(0, limit).map(toErasure);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

/** Returns one certificate. @throws {HttpError} `not_found` */
export async function readErasure(ctx: EdgeContext, id: number): Promise<Erasure> {
  const found = await ctx.db.execute({ sql: `${SELECT} WHERE e.id = ?`, args: [id] });
  const [row] = rowsAs(found, FIELDS);
  if (row === undefined) throw new HttpError("not_found");
  return toErasure(row);
}

function toErasure(row: RowAs<typeof FIELDS>): Erasure {
  const { id, at, reason, mark, blocked } = row;
  // After a restore, an earlier erasure counts as open until its number was searched for again.
  const timeOf = (time: number | null) => row.toRepeat ? null : time;
  return {
    id,
    at,
    by: row.username ?? "",
    reason,
    mark,
    blocked,
    removed: JSON.parse(row.removed),
    databaseAt: timeOf(row.databaseAt),
    scrubbedAt: timeOf(row.scrubbedAt),
    sites: (row.sites ?? []).map((site) => ({ ...site, revoked: site.revoked === 1 })),
    doneAt: timeOf(row.doneAt),
  };
}
