import type { InValue } from "@libsql/client/web";
import type { z } from "zod";
import type { Suppression, SuppressionPage, suppressionQuerySchema } from "shared/suppressions_api.ts";
import { shownPhone, tellsHidden } from "../campaigns/mask_phone.ts";
import { phoneRanges } from "../campaigns/phone_search.ts";
import type { EdgeContext } from "../context.ts";
import type { ListOwner } from "./list_owner.ts";

/** A page of a list, the newest first. Administrators see the numbers masked, and find one by writing it whole. */
export async function listSuppressions(
  ctx: EdgeContext,
  { client, isMasked }: ListOwner,
  { q, cursor, limit }: z.infer<typeof suppressionQuerySchema>,
): Promise<SuppressionPage> {
  const where = ["client = ?", "id < ?"];
  const args: InValue[] = [client, cursor ?? Number.MAX_SAFE_INTEGER];
  if (q) {
    const ranges = phoneRanges(q).filter((range) => !isMasked || !tellsHidden(range));
    where.push(`(${ranges.map(() => "phone BETWEEN ? AND ?").join(" OR ") || "0"})`);
    args.push(...ranges.flatMap(({ first, last }) => [first, last]));
  }
  const { rows } = await ctx.db.execute({
    sql: `SELECT id, phone, source, at FROM suppressions WHERE ${
      where.join(" AND ")
    } ORDER BY id DESC LIMIT ?`,
    args: [...args, limit + 1],
  });
  const items = rows.slice(0, limit).map((row): Suppression => {
    return {
      id: Number(row.id),
      phone: shownPhone(row.phone, isMasked),
      source: sourceOf(String(row.source)),
      at: Number(row.at),
    };
  });
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

function sourceOf(source: string): Suppression["source"] {
  return source === "file" || source === "reply" ? source : "manual";
}
