import type { Row } from "@libsql/client/web";
import type { Erasure } from "shared/privacy.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";

const SELECT = `SELECT e.*, u.username, (SELECT json_group_array(json_object('id', s.id, 'name', s.name,
    'answeredAt', o.answered_at, 'removed', o.removed, 'revoked', s.revoked))
    FROM erasure_sites o JOIN sites s ON s.id = o.site WHERE o.erasure = e.id) AS sites
  FROM erasures e LEFT JOIN users u ON u.id = e.user`;

/** Returns certificates, newest first. */
export async function listErasures(
  ctx: EdgeContext,
  { cursor = Number.MAX_SAFE_INTEGER, limit }: { cursor?: number | undefined; limit: number },
): Promise<{ items: Erasure[]; nextCursor: number | null }> {
  const { rows } = await ctx.db.execute({
    sql: `${SELECT} WHERE e.id < ? ORDER BY e.id DESC LIMIT ?`,
    args: [cursor, limit + 1],
  });
  const items = rows.slice(0, limit).map(toErasure);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

/** Returns one certificate. @throws {HttpError} `not_found` */
export async function readErasure(ctx: EdgeContext, id: number): Promise<Erasure> {
  const { rows: [row] } = await ctx.db.execute({ sql: `${SELECT} WHERE e.id = ?`, args: [id] });
  if (row === undefined) throw new HttpError("not_found");
  return toErasure(row);
}

function toErasure(row: Row): Erasure {
  // After a restore, an earlier erasure counts as open until its number was searched for again.
  const timeOf = (value: unknown) => value === null || row.to_repeat === 1 ? null : Number(value);
  const sites = JSON.parse(
    String(row.sites),
  ) as (Omit<Erasure["sites"][number], "revoked"> & { revoked: number })[];
  return {
    id: Number(row.id),
    at: Number(row.at),
    by: String(row.username ?? ""),
    reason: String(row.reason),
    mark: String(row.mark),
    blocked: row.blocked === 1,
    removed: JSON.parse(String(row.removed)),
    databaseAt: timeOf(row.database_at),
    scrubbedAt: timeOf(row.scrubbed_at),
    sites: sites.map((site) => ({ ...site, revoked: site.revoked === 1 })),
    doneAt: timeOf(row.done_at),
  };
}
