import type { InValue } from "@libsql/client/web";
import { getTableColumns } from "drizzle-orm";
import type { z } from "zod";
import type { FileItem, FilePage, fileQuerySchema } from "shared/admin_api.ts";
import { containsPattern } from "../db/contains_pattern.ts";
import { condition, orNull, type RowAs, rowsAs } from "../db/query.ts";
import { campaigns, imports, users } from "../db/schema.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";

const SELECT = `SELECT i.*, c.name AS "campaignName", o.username AS client,
    coalesce(u.username, o.username) AS by,
    EXISTS (SELECT 1 FROM import_chunks k WHERE k.import = i.id AND k.kind = 'rejected') AS "hasRejected",
    EXISTS (SELECT 1 FROM import_chunks k WHERE k.import = i.id AND k.kind = 'raw') AS "hasRaw"
  FROM imports i LEFT JOIN campaigns c ON c.id = i.campaign LEFT JOIN users o ON o.id = c.client
  LEFT JOIN users u ON u.id = i.user`;
const FIELDS = {
  ...getTableColumns(imports),
  campaignName: orNull(campaigns.name),
  client: orNull(users.username),
  by: orNull(users.username),
  hasRejected: condition,
  hasRaw: condition,
};

/** Returns a page of all users' files, newest first. Numbers typed by hand are no file. */
export async function listFiles(
  ctx: EdgeContext,
  { status, q, cursor, limit }: z.infer<typeof fileQuerySchema>,
): Promise<FilePage> {
  const where = ["i.file_name <> ''", "i.id < ?"];
  const args: InValue[] = [cursor ?? Number.MAX_SAFE_INTEGER];
  if (status) {
    where.push("i.status = ?");
    args.push(status);
  }
  if (q) {
    where.push(
      "(i.file_name LIKE ? ESCAPE '\\' OR c.name LIKE ? ESCAPE '\\' OR o.username LIKE ? ESCAPE '\\')",
    );
    args.push(...Array(3).fill(containsPattern(q)));
  }
  const found = await ctx.db.execute({
    sql: `${SELECT} WHERE ${where.join(" AND ")} ORDER BY i.id DESC LIMIT ?`,
    args: [...args, limit + 1],
  });
  const rows = rowsAs(found, FIELDS);
  const items = rows.slice(0, limit).map(toFileItem);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

/** Returns one file. @throws {HttpError} `not_found` */
export async function readFileItem(ctx: EdgeContext, id: number): Promise<FileItem> {
  const found = await ctx.db.execute({ sql: `${SELECT} WHERE i.id = ?`, args: [id] });
  const [row] = rowsAs(found, FIELDS);
  if (row === undefined) throw new HttpError("not_found");
  return toFileItem(row);
}

function toFileItem(row: RowAs<typeof FIELDS>): FileItem {
  const { status, totalRows, processedRows } = row;
  const isOver = status === "completed" || status === "error";
  return {
    id: row.id,
    name: row.fileName,
    status,
    progress: status === "completed"
      ? 100
      : totalRows === 0
      ? 0
      : Math.floor((100 * processedRows) / totalRows),
    totalRows,
    processedRows,
    timestamp: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: isOver ? row.updatedAt : null,
    by: row.by ?? "",
    target: row.campaign === null ? { kind: "suppressions" } : {
      kind: "campaign",
      campaignId: row.campaign,
      campaign: row.campaignName!,
      client: row.client!,
    },
    added: row.added,
    duplicates: row.duplicates,
    invalid: row.invalid,
    suppressed: row.suppressed,
    withoutConsent: row.withoutConsent,
    error: row.error,
    hasRejected: row.hasRejected,
    canRetry: status === "error" && row.hasRaw,
  };
}
