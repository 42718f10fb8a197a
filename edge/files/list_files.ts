import type { InValue, Row } from "@libsql/client/web";
import type { z } from "zod";
import type { FileItem, FilePage, fileQuerySchema } from "shared/admin_api.ts";
import { containsPattern } from "../db/contains_pattern.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";

const SELECT = `SELECT i.*, c.name AS campaign_name, o.username AS client,
    coalesce(u.username, o.username) AS by,
    EXISTS (SELECT 1 FROM import_chunks k WHERE k.import = i.id AND k.kind = 'rejected') AS has_rejected,
    EXISTS (SELECT 1 FROM import_chunks k WHERE k.import = i.id AND k.kind = 'raw') AS has_raw
  FROM imports i LEFT JOIN campaigns c ON c.id = i.campaign LEFT JOIN users o ON o.id = c.client
  LEFT JOIN users u ON u.id = i.user`;

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
  const { rows } = await ctx.db.execute({
    sql: `${SELECT} WHERE ${where.join(" AND ")} ORDER BY i.id DESC LIMIT ?`,
    args: [...args, limit + 1],
  });
  const items = rows.slice(0, limit).map(toFileItem);
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

/** Returns one file. @throws {HttpError} `not_found` */
export async function readFileItem(ctx: EdgeContext, id: number): Promise<FileItem> {
  const { rows: [row] } = await ctx.db.execute({ sql: `${SELECT} WHERE i.id = ?`, args: [id] });
  if (row === undefined) throw new HttpError("not_found");
  return toFileItem(row);
}

function toFileItem(row: Row): FileItem {
  const status = row.status as FileItem["status"];
  const [totalRows, processedRows] = [Number(row.total_rows), Number(row.processed_rows)];
  const isOver = status === "completed" || status === "error";
  return {
    id: Number(row.id),
    name: String(row.file_name),
    status,
    progress: status === "completed"
      ? 100
      : totalRows === 0
      ? 0
      : Math.floor((100 * processedRows) / totalRows),
    totalRows,
    processedRows,
    timestamp: Number(row.created_at),
    startedAt: row.started_at === null ? null : Number(row.started_at),
    finishedAt: isOver ? Number(row.updated_at) : null,
    by: String(row.by ?? ""),
    target: row.campaign === null ? { kind: "suppressions" } : {
      kind: "campaign",
      campaignId: Number(row.campaign),
      campaign: String(row.campaign_name),
      client: String(row.client),
    },
    added: Number(row.added),
    duplicates: Number(row.duplicates),
    invalid: Number(row.invalid),
    suppressed: Number(row.suppressed),
    withoutConsent: Number(row.without_consent),
    error: row.error === null ? null : String(row.error),
    hasRejected: row.has_rejected === 1,
    canRetry: status === "error" && row.has_raw === 1,
  };
}
